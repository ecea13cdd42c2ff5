/**
 * The conditions of a scene (rules.md 3): folded left to right with the relation of the previous item; `terms` of an item
 * are folded and joined to it. An item that never reported is false. None of upstream's short cuts.
 */
import type { CheckedCondition } from '@ithings/contract/features/scenes.ts'
import type { CompiledCondition, ConditionSource } from './engine-types.ts'
import { memberValue } from './judge.ts'

export interface Asked {
  /** The latest value of the property; undefined: never reported, or no such device. */
  value(source: ConditionSource): unknown
  /** ms */
  at: number
}

const join = (how: 'and' | 'or', left: boolean, right: boolean) => (how === 'and' ? left && right : left || right)

type Joint = 'and' | 'or' | undefined
type Leaf = (condition: CompiledCondition, level: number, relation: Joint) => boolean

/** `relation`: how the list hangs on what comes before it, for its first text. */
function fold(list: readonly CompiledCondition[], level: number, leaf: Leaf, relation: Joint): boolean {
  let result = true
  let before: Joint
  for (const condition of list) {
    const { children, kind } = condition
    const joint = before ?? relation
    let own: boolean
    if (kind === 'group') own = children ? fold(children.terms, level + 1, leaf, joint) : true
    else {
      own = leaf(condition, level, joint)
      if (children) own = join(children.join, own, fold(children.terms, level + 1, leaf, children.join))
    }
    result = before === undefined ? own : join(before, result, own)
    before = condition.net
  }
  return result
}

function holdsLeaf(condition: CompiledCondition, ask: Asked): boolean {
  if (condition.kind === 'property') return condition.test(memberValue(ask.value(condition.source), condition.member))
  return condition.kind === 'time' && condition.test(ask.at)
}

/** Only whether they hold, for the backtest. */
export const conditionsHold = (list: readonly CompiledCondition[], ask: Asked): boolean =>
  fold(list, 0, (condition) => holdsLeaf(condition, ask), undefined)

const two = (value: number) => String(value).padStart(2, '0')
const weekdays = ['日', '一', '二', '三', '四', '五', '六']
function timeText(at: number): string {
  const date = new Date(at)
  return `周${weekdays[date.getDay()]} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

function seenText(condition: CompiledCondition, ask: Asked): string {
  if (condition.kind === 'time') return timeText(ask.at)
  if (condition.kind !== 'property') return ''
  const value = memberValue(ask.value(condition.source), condition.member)
  return value === undefined ? '' : condition.show(value)
}

const relationTexts = { and: '且 ', or: '或 ' } as const

/** What was asked for, and what there was. */
export const withSeen = (text: string, seen: string): string => (seen === '' ? text : `${text}（实际 ${seen}）`)

/** Every leaf with the value seen; `reason` names the first that failed, '' when they hold. */
export function checkConditions(
  list: readonly CompiledCondition[],
  ask: Asked,
): { ok: boolean; list: CheckedCondition[]; reason: string } {
  const checked: CheckedCondition[] = []
  let reason = ''
  const check: Leaf = (condition, level, relation) => {
    if (condition.kind === 'group') return false
    const held = holdsLeaf(condition, ask)
    const value = seenText(condition, ask)
    checked.push({ text: (relation ? relationTexts[relation] : '') + condition.text, value, ok: held, level })
    if (!held && reason === '') {
      const seen = condition.kind === 'never' ? '' : value === '' ? '（尚无上报）' : `（实际 ${value}）`
      reason = `条件不满足：${condition.text}${seen}`
    }
    return held
  }
  const ok = fold(list, 0, check, undefined)
  return { ok, list: checked, reason: ok ? '' : reason }
}
