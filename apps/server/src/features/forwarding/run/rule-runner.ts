/** One rule at work on this server: reads, filters, writes the form, sends, and notes how far it has come. */
import { setTimeout as sleep } from 'node:timers/promises'
import { keep, kept, phrase } from '@ithings/contract/text.ts'
import { type ForwardTarget, TargetAway } from '#ports/forward-target.ts'
import type { ForwardingDeps } from '../forwarding-deps.ts'
import type { Position } from '../position.ts'
import { openRuleTarget } from '../rule-target.ts'
import type { FactsOf } from './device-facts.ts'
import { compileFilter } from './filter.ts'
import { makeForm } from './form.ts'
import type { ForwardMeters } from './forward-meters.ts'
import { type Letter, Outgoing, type Waiting } from './outgoing.ts'
import type { Pace } from './pace.ts'
import { makeReader, nameDevices } from './read-portion.ts'
import { keepLetters, leaseSeconds, RuleLost, type RuleRow, RuleState, type StateRow } from './rule-state.ts'
import { LagTeller } from './tell-lag.ts'

const firstRetryMs = 1_000
const longestRetryMs = 30_000
/** However long the other side asks for. */
const mostAskedMs = 300_000
/** What was sent is noted this often: so much is sent again after a crash. */
const noteMs = 250
const idleNoteMs = 5_000
/** Who could not renew his lease for this long sends nothing more: another server may have begun. */
const trustLeaseMs = (leaseSeconds - 5) * 1000

export interface RunnerParts {
  deps: ForwardingDeps
  factsOf: FactsOf
  /** Resolves when there may be something new. */
  nextMoment(signal: AbortSignal): Promise<void>
  meters: ForwardMeters
  /** Of all rules of this server. */
  pace: Pace
}

export class RuleRunner {
  readonly rule: RuleRow
  readonly turn: number
  readonly #parts: RunnerParts
  readonly #state: RuleState
  readonly #outgoing: Outgoing
  readonly #target: ForwardTarget
  readonly #read: ReturnType<typeof makeReader>
  readonly #wants: ReturnType<typeof compileFilter>
  readonly #write: ReturnType<typeof makeForm>
  readonly #lag: LagTeller
  #ahead: ReturnType<ReturnType<typeof makeReader>> | undefined
  readonly #stopping = new AbortController()
  #renewedAt = performance.now()
  #notedAt = performance.now()
  /** Something was sent since it was noted. */
  #unnoted = false
  #failures = 0
  readonly #done: Promise<void>

  constructor(parts: RunnerParts, rule: RuleRow, state: StateRow) {
    const { deps } = parts
    this.rule = rule
    this.turn = state.turn
    this.#parts = parts
    this.#state = new RuleState(state)
    this.#target = openRuleTarget(deps, rule)
    this.#outgoing = new Outgoing(state.position as Position, this.#target)
    this.#read = makeReader(deps.tail, rule.sources)
    this.#wants = compileFilter(rule.sources, rule.filter)
    this.#write = makeForm(rule.form, rule.script, deps.scripts)
    this.#lag = new LagTeller(deps, rule, state.lag_told_at)
    this.#done = this.#work()
  }

  get isOver(): boolean {
    return this.#stopping.signal.aborted
  }

  /** The lease was renewed for all rules of this server. */
  renewed(): void {
    this.#renewedAt = performance.now()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#done
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const waits = await this.#step(signal)
        this.#failures = 0
        if (waits) await this.#parts.nextMoment(signal)
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof RuleLost) this.#stopping.abort()
        else await this.#failed(error, signal)
      }
    }
    await this.#end()
  }

  /** @returns whether there is nothing to do for the moment */
  async #step(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#parts.deps
    let more = false
    if (this.#outgoing.hasRoom) {
      await this.#parts.pace.turn(signal)
      const begun = this.#ahead
      this.#ahead = undefined
      const portion = await (begun ?? this.#read(this.#outgoing.read))
      this.#outgoing.add(await this.#prepare(portion.messages), portion.next, clock.now())
      more = portion.more
      if (more) this.#readAhead()
    }
    const { dueAt } = this.#outgoing
    if (dueAt !== undefined && dueAt <= clock.now()) await this.#sendAll(signal)
    this.#state.works()
    await this.#note()
    return !more
  }

  /** What follows is read while this is sent. */
  #readAhead(): void {
    this.#ahead = this.#read(this.#outgoing.read)
    // Whoever waits for it hears of it.
    this.#ahead.catch(() => undefined)
  }

  async #prepare(messages: Parameters<typeof nameDevices>[1]): Promise<Waiting[]> {
    const facts = await nameDevices(this.#parts.factsOf, messages)
    const ready: Waiting[] = []
    const { pace } = this.#parts
    let begun = performance.now()
    for (const raw of messages) {
      const wanted = this.#wants(raw, facts.get(raw.deviceID))
      if (!wanted) continue
      const made = this.#write(wanted)
      if (!(made instanceof Promise)) {
        ready.push({ message: made.message, fault: made.fault, at: raw.at, logDays: raw.logDays })
        continue
      }
      pace.worked(performance.now() - begun)
      const formed = await made
      begun = performance.now()
      if (formed) ready.push({ ...formed, at: raw.at, logDays: raw.logDays })
    }
    pace.worked(performance.now() - begun)
    return ready
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    for (let piece = this.#outgoing.piece(); piece.length > 0; piece = this.#outgoing.piece()) {
      await this.#parts.pace.turn(signal)
      if (signal.aborted) return
      if (performance.now() - this.#renewedAt > trustLeaseMs) throw new Error('the lease of the rule was not renewed')
      await this.#sendPiece(piece, signal)
      this.#outgoing.done(piece.length)
      this.#unnoted = true
      await this.#note()
    }
  }

  async #sendPiece(piece: Waiting[], signal: AbortSignal): Promise<void> {
    const { deps, meters, pace } = this.#parts
    const good = piece.filter(({ fault }) => fault === undefined).map(({ message }) => message)
    const sending = good.length > 0 ? pace.work(() => this.#target.send(good, signal)) : undefined
    const refused = (await sending) ?? []
    const byIndex = new Map(refused.map(({ index, reason }) => [index, reason]))
    const letters: Letter[] = piece.flatMap(({ message, fault }) =>
      fault === undefined ? [] : [{ message, reason: fault }],
    )
    for (const [index, reason] of byIndex) {
      const message = good[index]
      if (message) letters.push({ message, reason })
    }
    const now = deps.clock.now()
    if (letters.length > 0 && !(await keepLetters(deps.db, this.rule.id, letters, now))) {
      throw new TargetAway(phrase('死信已满，请先处理或删除死信'))
    }
    const arrived = good.filter((_, index) => !byIndex.has(index))
    this.#state.sent(arrived, now)
    meters.sent.inc({ type: this.rule.target_type }, arrived.length)
    meters.refused.inc({ type: this.rule.target_type }, letters.length)
  }

  async #note(force = false): Promise<void> {
    const { deps } = this.#parts
    const waited = performance.now() - this.#notedAt
    if (!force && waited < (this.#unnoted ? noteMs : idleNoteMs)) return
    const { oldest } = this.#outgoing
    await this.#state.write(deps.db, { ruleID: this.rule.id, turn: this.turn }, this.#outgoing.sent, oldest)
    this.#notedAt = performance.now()
    this.#renewedAt = this.#notedAt
    this.#unnoted = false
    await this.#lag.look(oldest)
  }

  async #failed(error: unknown, signal: AbortSignal): Promise<void> {
    const { deps, meters } = this.#parts
    const words =
      error instanceof TargetAway ? keep([error.words]) : kept('转发出错：{error}', { error: (error as Error).message })
    if (this.#failures === 0) deps.log.warn({ err: error, rule: this.rule.id }, 'forwarding waits')
    this.#failures += 1
    meters.failures.inc({ type: this.rule.target_type })
    this.#state.failed(words, deps.clock.now())
    try {
      await this.#note(true)
    } catch (cause) {
      if (cause instanceof RuleLost) return this.#stopping.abort()
    }
    const asked = error instanceof TargetAway ? (error.retryAfterMs ?? 0) : 0
    const pause = Math.min(firstRetryMs * 2 ** Math.min(this.#failures - 1, 10), longestRetryMs)
    await sleep(Math.max(pause, Math.min(asked, mostAskedMs)), undefined, { signal }).catch(() => undefined)
  }

  /** What was sent is noted, so that the next one does not send it again. */
  async #end(): Promise<void> {
    await this.#target.close().catch(() => undefined)
    await this.#note(true).catch(() => undefined)
  }
}
