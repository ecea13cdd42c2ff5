/**
 * Triggers on one property of the same devices. Those that compare a number with one threshold lie sorted, those that
 * want one value by that value: ten thousand scenes cost a message as much as the few that it fulfils
 * (goals.md "Scenes").
 */
import type { TermType } from '@ithings/contract/rules/terms.ts'
import type { CompiledScene, CompiledTrigger } from '../engine/engine-types.ts'

/** One trigger of an enabled scene. */
export interface Entry {
  /** The same for the same trigger of a scene, also after it was compiled again. */
  key: number
  scene: CompiledScene
  trigger: CompiledTrigger
  /** It has a state for each device: debounce, once, distance. */
  remembers: boolean
  /** undefined: every report counts, or the value is not a plain one. */
  term: TermType | undefined
}

interface Threshold {
  at: number
  entry: Entry
}

export type Visit = (entry: Entry) => void

/** Place of the first that lies behind `at`, in the order of the list. */
function placeOf(list: readonly Threshold[], at: number, sign: 1 | -1): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (((list[middle] as Threshold).at - at) * sign <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Those with the same threshold stand before its place. */
const drop = (list: Threshold[], entry: Entry, at: number, sign: 1 | -1) => {
  for (let index = placeOf(list, at, sign) - 1; list[index]?.at === at; index--) {
    if (list[index]?.entry === entry) list.splice(index, 1)
  }
}

/** A number that fulfils the term, if numbers are what it compares. */
const example: Partial<Record<TermType, (at: number) => number>> = {
  eq: (at) => at,
  gt: (at) => at + 1,
  gte: (at) => at,
  lt: (at) => at - 1,
  lte: (at) => at,
  btw: (at) => at,
}

function isNumeric({ term, trigger }: Entry, at: number): boolean {
  const of = term && example[term]
  return of !== undefined && trigger.member === '' && Number.isFinite(at) && trigger.test?.(of(at)) === true
}

const rising = new Set<TermType | undefined>(['gt', 'gte', 'btw'])
const falling = new Set<TermType | undefined>(['lt', 'lte'])

export class TriggerBucket {
  /** Triggers that no order of values can rule out: asked about every value. */
  #any = new Set<Entry>()
  /** Can be true from this value on: smallest first. */
  #above: Threshold[] = []
  /** Can be true up to this value: biggest first. */
  #below: Threshold[] = []
  #equal = new Map<number, Set<Entry>>()
  size = 0
  remembering = 0

  add(entry: Entry): void {
    this.size++
    if (entry.remembers) this.remembering++
    const { term, trigger } = entry
    const at = Number(trigger.threshold[0])
    if (!isNumeric(entry, at)) this.#any.add(entry)
    else if (rising.has(term)) this.#above.splice(placeOf(this.#above, at, 1), 0, { at, entry })
    else if (falling.has(term)) this.#below.splice(placeOf(this.#below, at, -1), 0, { at, entry })
    else this.#equal.set(at, (this.#equal.get(at) ?? new Set()).add(entry))
  }

  remove(entry: Entry): void {
    this.size--
    if (entry.remembers) this.remembering--
    const at = Number(entry.trigger.threshold[0])
    if (this.#any.delete(entry)) return
    drop(this.#above, entry, at, 1)
    drop(this.#below, entry, at, -1)
    const equal = this.#equal.get(at)
    if (equal?.delete(entry) && equal.size === 0) this.#equal.delete(at)
  }

  /** All that this value can fulfil, and some more: the trigger itself has the last word. */
  visit(value: unknown, visit: Visit): void {
    for (const entry of this.#any) visit(entry)
    if (typeof value !== 'number') return
    for (const { at, entry } of this.#above) {
      if (at > value) break
      visit(entry)
    }
    for (const { at, entry } of this.#below) {
      if (at < value) break
      visit(entry)
    }
    const equal = this.#equal.size > 0 ? this.#equal.get(value) : undefined
    if (equal) for (const entry of equal) visit(entry)
  }
}
