/** What must hold besides, as a sentence: "工作日 08:00–20:00 且（运行状态 = 运行中 或 出口压力 ≥ 0.60 MPa）". */
import { t } from '#text.ts'
import { cronRangeText, weekdaysText } from './describe-cron.ts'
import { about, comparison, termText } from './describe-words.ts'
import { valuesOf } from './device-trigger.ts'
import type { SceneNames } from './scene-names.ts'
import type { ColumnTime, Condition } from './scene-parts.ts'
import { marked, plain, type SentencePart, strong } from './sentence.ts'

/** '' is every day. */
function daysText(weekdays: readonly number[]): string {
  const days = [...new Set(weekdays)].sort().join('')
  if (days === '' || days === '1234567') return ''
  if (days === '12345') return t('工作日', { context: 'sentence' })
  return days === '67' ? t('周末', { context: 'sentence' }) : weekdaysText(weekdays)
}

function timeSentence(time: ColumnTime): string {
  if (time.type === 'cron') return t('<0>{time}</0>', { time: cronRangeText(time.cron) })
  const { start, end } = time
  const days = daysText(time.weekdays)
  return days ? t('<0>{days} {start}–{end}</0>', { days, start, end }) : t('<0>{start}–{end}</0>', { start, end })
}

function timeLabel(time: ColumnTime): string {
  if (time.type === 'cron') return cronRangeText(time.cron)
  const { start, end } = time
  const days = daysText(time.weekdays)
  return days ? t('{days} {start}–{end}', { days, start, end }) : `${start}–${end}`
}

const unsupported = () => t('事件条件（不支持，始终不成立）')

/** The device is '' where it is the one that started the scene. */
function compared({ columnSchema }: Condition, names: SceneNames) {
  if (!columnSchema) return undefined
  const { productID, deviceName, dataID, termType } = columnSchema
  const what = names.property(productID, dataID)
  return {
    device: deviceName && (names.device(productID, deviceName) ?? deviceName),
    name: what?.name ?? dataID.join('.'),
    what,
    term: { termType, values: valuesOf(columnSchema.values) },
  }
}

function leaf(one: Condition, names: SceneNames): SentencePart[] {
  if (one.columnType === 'event') return [strong(unsupported())]
  if (one.columnType === 'sysTime') return one.columnTime ? marked(timeSentence(one.columnTime)) : []
  const found = one.columnType === 'property' ? compared(one, names) : undefined
  if (!found) return []
  const { device, name, what, term } = found
  const said = { name, comparison: comparison(what, term.termType, term.values) }
  return device === ''
    ? marked(t('{who} <0>{name} {comparison}</0>', { ...about(''), ...said }).trimStart())
    : marked(t('{device} 的 <0>{name} {comparison}</0>', { device, ...said }))
}

/** Without the space on a side where a full-width bracket brings its own: [bracket before, word before][bracket, word behind]. */
const joints = {
  and: [
    ['且', '且 '],
    [' 且', ' 且 '],
  ],
  or: [
    ['或', '或 '],
    [' 或', ' 或 '],
  ],
} as const
const bracket = { context: 'bracket' }
const inBrackets = (parts: SentencePart[]) => [plain(t('（', bracket)), ...parts, plain(t('）', bracket))]

interface Folded {
  parts: SentencePart[]
  /** What its last two were joined by; undefined: it is one. */
  joint: 'and' | 'or' | undefined
}

/** Conditions fold left to right: where the joint changes, what stands before belongs together. */
function fold(list: readonly Condition[], names: SceneNames): Folded {
  let all: Folded = { parts: [], joint: undefined }
  let net: 'and' | 'or' = 'and'
  for (const one of list) {
    const next = node(one, names)
    if (all.parts.length === 0) all = next
    else all = join(all, net, next)
    net = one.netCondition
  }
  return all
}

function join(left: Folded, joint: 'and' | 'or', right: Folded): Folded {
  const split = left.joint !== undefined && left.joint !== joint
  const before = split ? inBrackets(left.parts) : left.parts
  const after = right.joint ? inBrackets(right.parts) : right.parts
  const word = joints[joint][split ? 0 : 1][right.joint ? 0 : 1]
  return { parts: [...before, plain(t(word, { context: 'joint' })), ...after], joint }
}

function node(one: Condition, names: SceneNames): Folded {
  const own = leaf(one, names)
  const terms = fold(one.terms ?? [], names)
  if (own.length === 0) return terms
  const self: Folded = { parts: own, joint: undefined }
  return terms.parts.length === 0 ? self : join(self, one.childrenCondition ?? 'and', terms)
}

/** It can stand behind the trigger with "，且": what is joined by "or" comes in brackets then. */
export function whenSentence(conditions: readonly Condition[], names: SceneNames): SentencePart[] {
  const when = fold(conditions, names)
  return when.joint === 'or' ? inBrackets(when.parts) : when.parts
}

/** One condition for logs, without those nested in it; a group says how its members count. */
export function describeCondition(one: Condition, names: SceneNames): string {
  if (one.columnType === 'event') return unsupported()
  if (one.columnType === 'sysTime') return one.columnTime ? timeLabel(one.columnTime) : ''
  if (one.columnType === 'property') {
    const found = compared(one, names)
    if (!found) return ''
    const what = termText(found.name, found.what, found.term)
    return found.device === '' ? what : t('{device} 的 {what}', { device: found.device, what })
  }
  const used = new Set((one.terms ?? []).slice(0, -1).map(({ netCondition }) => netCondition))
  return used.size > 1 ? t('条件组') : used.has('or') ? t('任一满足') : t('全部满足')
}
