/**
 * The conditions of a scene (rules.md 3): folded left to right with the relation of the previous item; `terms` of an item
 * are folded and joined to it. An item that never reported is false. Nothing is decided before the end.
 */
import type { CheckedCondition } from '@ithings/contract/features/scenes/log.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { storableText } from '#db/json-text.ts'
import type { CompiledCondition, ConditionSource } from './engine-types.ts'
import { memberValue } from './judge.ts'

export interface Asked {
  /** The latest value of the property; undefined: never reported, or no such device. */
  value(source: ConditionSource): unknown
  /** ms */
  at: number
}

type Joint = 'and' | 'or'

function holdsLeaf(condition: CompiledCondition, ask: Asked): boolean {
  if (condition.kind === 'property') return condition.test(memberValue(ask.value(condition.source), condition.member))
  return condition.kind === 'time' && condition.test(ask.at)
}

const join = (how: Joint, left: boolean, right: boolean) => (how === 'and' ? left && right : left || right)

function holds(condition: CompiledCondition, ask: Asked): boolean {
  const { children, kind } = condition
  if (kind === 'group') return children ? conditionsHold(children.terms, ask) : true
  const own = holdsLeaf(condition, ask)
  return children ? join(children.join, own, conditionsHold(children.terms, ask)) : own
}

/** Only whether they hold, for the backtest: no texts are made. */
export function conditionsHold(list: readonly CompiledCondition[], ask: Asked): boolean {
  let result = true
  let before: Joint | undefined
  for (const condition of list) {
    const own = holds(condition, ask)
    result = before === undefined ? own : join(before, result, own)
    before = condition.net
  }
  return result
}

const two = (value: number) => String(value).padStart(2, '0')
const weekdays = ['日', '一', '二', '三', '四', '五', '六']
function timeText(at: number): string {
  const date = new Date(at)
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return kept('周{weekday} {time}', { weekday: phrase(weekdays[date.getDay()] ?? ''), time })
}

function seenText(condition: CompiledCondition, ask: Asked): string {
  if (condition.kind === 'time') return timeText(ask.at)
  if (condition.kind !== 'property') return ''
  const value = memberValue(ask.value(condition.source), condition.member)
  return value === undefined ? '' : condition.show(value)
}

function joined(joint: Joint | undefined, condition: string): string {
  if (!joint) return condition
  return joint === 'and' ? kept('且 {condition}', { condition }) : kept('或 {condition}', { condition })
}

/** What was asked for, and what there was. */
export const withSeen = (asked: string, seen: string): string =>
  seen === '' ? asked : kept('{asked}（实际 {seen}）', { asked, seen: storableText(seen) })

/** `reason`: what decided that it is false; '' when it is true. */
interface Judged {
  ok: boolean
  reason: string
}

/** Of two that failed the first is named; one that an "or" makes up for is not. */
function decide(how: Joint, left: Judged, right: Judged): Judged {
  if (how === 'and') return left.ok ? right : left
  return left.ok || !right.ok ? left : right
}

const holding: Judged = { ok: true, reason: '' }

function explainLeaf(condition: Exclude<CompiledCondition, { kind: 'group' }>, ask: Asked) {
  const ok = holdsLeaf(condition, ask)
  const value = seenText(condition, ask)
  const why =
    condition.kind === 'property' && value === ''
      ? kept('{condition}（尚无上报）', { condition: condition.text })
      : withSeen(condition.text, value)
  return { ok, value, reason: ok ? '' : kept('条件不满足：{why}', { why }) }
}

/** Adds its lines to `lines`; `joint`: how it hangs on what comes before it, for its text. */
function explainOne(
  condition: CompiledCondition,
  ask: Asked,
  place: { level: number; joint: Joint | undefined },
  lines: CheckedCondition[],
): Judged {
  const { level, joint } = place
  const { children } = condition
  if (condition.kind === 'group') {
    if (!children) return holding
    const members: CheckedCondition[] = []
    const { ok, reason, held } = explain(children.terms, ask, { level: level + 1, joint: undefined }, members)
    lines.push(
      { text: joined(joint, condition.text), value: `${held} / ${children.terms.length}`, ok, level },
      ...members,
    )
    return { ok, reason }
  }
  const own = explainLeaf(condition, ask)
  lines.push({ text: joined(joint, condition.text), value: own.value, ok: own.ok, level })
  if (!children) return own
  return decide(children.join, own, explain(children.terms, ask, { level: level + 1, joint: children.join }, lines))
}

/** `held`: how many of the list itself are true. */
function explain(
  list: readonly CompiledCondition[],
  ask: Asked,
  { level, joint }: { level: number; joint: Joint | undefined },
  lines: CheckedCondition[],
): Judged & { held: number } {
  let result = holding
  let held = 0
  let before: Joint | undefined
  for (const condition of list) {
    const own = explainOne(condition, ask, { level, joint: before ?? joint }, lines)
    if (own.ok) held++
    result = before === undefined ? own : decide(before, result, own)
    before = condition.net
  }
  return { ok: result.ok, reason: result.reason, held }
}

/** Every condition with the value seen, a group with how many of its members hold; `reason` is '' when they hold. */
export function checkConditions(
  list: readonly CompiledCondition[],
  ask: Asked,
): { ok: boolean; list: CheckedCondition[]; reason: string } {
  const lines: CheckedCondition[] = []
  const { ok, reason } = explain(list, ask, { level: 0, joint: undefined }, lines)
  return { ok, list: lines, reason }
}
