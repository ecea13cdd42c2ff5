/** What a scene says, for people: "任一水泵站 水泵温度 > 80 ℃ 持续 30 秒" / "停泵 → 延时 10 秒 → 触发告警". */
import { t } from '#text.ts'
import { channelTypeLabels } from './channel-types.ts'
import { cronRangeText, cronSentence, weekdaysText } from './describe-cron.ts'
import { type DeviceTrigger, type StateKeep, valuesOf } from './device-trigger.ts'
import { labelOf, type NamedValue, type SceneNames, showValue } from './scene-names.ts'
import type { ColumnTime, Condition, DeviceOutput, NotifyOutput, SceneAction, TimerTrigger } from './scene-parts.ts'
import type { SceneParts } from './scene-text.ts'
import { asText, between, marked, plain, type SentencePart, strong } from './sentence.ts'
import { type TermType, termSigns } from './terms.ts'
import type { TimeUnit } from './time-units.ts'

/** "P01、P02", and beyond two "P01 等 5 台". */
function deviceList(productID: string, devices: readonly string[], names: SceneNames): string {
  const shown = devices.map((name) => names.device(productID, name) ?? name)
  const [first = ''] = shown
  return shown.length > 2 ? t('{first} 等 {count} 台设备', { first, count: shown.length }) : shown.join(t('、'))
}

interface Selection {
  productID: string
  selector: string
  selectorValues?: string[] | null | undefined
}

function selected(one: Selection, names: SceneNames, which: 'any' | 'all'): string {
  const product = names.product(one.productID) ?? one.productID
  const values = one.selectorValues ?? []
  if (one.selector === 'fixed') return deviceList(one.productID, values, names)
  if (one.selector !== 'group')
    return which === 'any' ? t('任一{product}', { product }) : t('全部{product}', { product })
  const groups = values.map((id) => names.group(id) ?? t('分组 {id}', { id })).join(t('、'))
  return which === 'any'
    ? t('{groups}内任一{product}', { groups, product })
    : t('{groups}内全部{product}', { groups, product })
}

/** "水泵温度 > 80 ℃"; without a term every report counts. */
function termText(name: string, what: NamedValue | undefined, term: TermType, given: readonly string[]): string {
  const values = given.map((value) => labelOf(what, value))
  const joined = values.join(term === 'btw' ? t(' 至 ', { context: 'between' }) : t('、'))
  const unit = what?.unit ? ` ${what.unit}` : ''
  return `${name} ${t(termSigns[term])} ${joined}${unit}`
}

function durationText(count: number, unit: TimeUnit): string {
  if (unit === 'hours') return t('{count} 小时', { count })
  return unit === 'minutes' ? t('{count} 分钟', { count }) : t('{count} 秒', { count })
}

function secondsText(seconds: number): string {
  if (seconds > 3600 && seconds % 3600 === 0) return durationText(seconds / 3600, 'hours')
  return seconds > 60 && seconds % 60 === 0 ? durationText(seconds / 60, 'minutes') : durationText(seconds, 'seconds')
}

const repeatWindow = 60

/** `over`: it is a state that goes on, not a value that stays. */
function keepText(keep: StateKeep | null | undefined, over = false): string {
  if (!keep || keep.value === 0) return ''
  if (keep.type === 'repeating')
    return t(' {window}内 {count} 次', { window: secondsText(keep.window ?? repeatWindow), count: keep.value })
  const duration = durationText(keep.value, keep.unit)
  return over ? t(' 超过 {duration}', { duration }) : t(' 持续 {duration}', { duration })
}

/** What must happen to the device; the device itself is not named. */
function happening(
  { productID, operator, operationSchema: operation }: DeviceTrigger,
  names: SceneNames,
): SentencePart[] {
  const dataID = operation?.dataID ?? []
  const id = dataID.join('.')
  const term = operation?.termType
  const values = valuesOf(operation?.values)
  switch (operator) {
    case 'connected':
    case 'disConnected':
      return [
        strong(t(operator === 'connected' ? '上线' : '下线', { context: 'sentence' })),
        plain(keepText(operation?.stateKeep, true)),
      ]
    case 'noReport': {
      const silence = t('{count} 分钟无数据', { count: operation?.minutes ?? 0 })
      const name = dataID.length > 0 ? (names.property(productID, dataID)?.name ?? id) : ''
      return [strong(name ? `${name} ${silence}` : silence)]
    }
    case 'reportEvent': {
      const event = names.event(productID, dataID)
      const name = event?.name ?? id
      const keep = plain(keepText(operation?.stateKeep))
      return [plain(t('事件 ')), strong(term ? termText(name, event, term, values) : name), keep]
    }
    case 'reportProperty': {
      const property = names.property(productID, dataID)
      const name = property?.name ?? id
      const said = term ? termText(name, property, term, values) : t('上报{name}', { name })
      return [strong(said), plain(keepText(operation?.stateKeep))]
    }
  }
}

const isTimer = (trigger: DeviceTrigger | TimerTrigger): trigger is TimerTrigger => 'cron' in trigger

/** One trigger for logs: "水泵温度 > 80 ℃ 持续 30 秒"; which devices it is for is said elsewhere. */
export const describeTrigger = (trigger: DeviceTrigger | TimerTrigger, names: SceneNames): string =>
  asText(isTimer(trigger) ? cronSentence(trigger.cron, names.zone) : happening(trigger, names))

function triggerSentence({ triggerType, trigger }: SceneParts, names: SceneNames): SentencePart[] {
  if (triggerType === 'manual') return [strong(t('手动执行'))]
  if (triggerType === 'timer') return trigger.timer ? cronSentence(trigger.timer.cron, names.zone) : []
  let before = ''
  const sentences = (trigger.device ?? []).map((one) => {
    const who = selected(one, names, 'any')
    // Said once when the next trigger is for the same devices.
    const parts = who === before ? happening(one, names) : [plain(`${who} `), ...happening(one, names)]
    before = who
    return parts
  })
  return between(sentences, t(' 或 '))
}

function timeText(time: ColumnTime): string {
  if (time.type === 'cron') return cronRangeText(time.cron)
  const days = [...new Set(time.weekdays)].sort().join('')
  const clock = `${time.start}–${time.end}`
  if (days === '' || days === '1234567') return clock
  const sentence = { context: 'sentence' }
  if (days === '12345') return `${t('工作日', sentence)} ${clock}`
  return `${days === '67' ? t('周末', sentence) : weekdaysText(time.weekdays)} ${clock}`
}

function leaf(one: Condition, names: SceneNames): SentencePart[] {
  if (one.columnType === 'event') return [strong(t('事件条件（不支持，始终不成立）'))]
  if (one.columnType === 'sysTime') return one.columnTime ? [strong(timeText(one.columnTime))] : []
  const schema = one.columnSchema
  if (one.columnType !== 'property' || !schema) return []
  const property = names.property(schema.productID, schema.dataID)
  const name = property?.name ?? schema.dataID.join('.')
  const said = strong(termText(name, property, schema.termType, valuesOf(schema.values)))
  const device = schema.deviceName
  return device === ''
    ? [said]
    : [plain(t('{device} 的 ', { device: names.device(schema.productID, device) ?? device })), said]
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

/** One condition for logs, without those nested in it; a group says how its members count. */
export function describeCondition(one: Condition, names: SceneNames): string {
  if (one.columnType !== 'group') return asText(leaf(one, names))
  const used = new Set((one.terms ?? []).slice(0, -1).map(({ netCondition }) => netCondition))
  return used.size > 1 ? t('条件组') : used.has('or') ? t('任一满足') : t('全部满足')
}

const shownSettings = 3

function settings({ productID, value }: DeviceOutput, names: SceneNames): string {
  const entries = Object.entries(JSON.parse(value) as Record<string, unknown>)
  const said = entries.slice(0, shownSettings).map(([id, given]) => {
    const property = names.property(productID, [id])
    return `${property?.name ?? id} = ${showValue(property, given)}`
  })
  return `${said.join(t('、'))}${entries.length > shownSettings ? t(' 等 {count} 项', { count: entries.length }) : ''}`
}

/** `line`: for a line of text, in which nothing stands out. */
function outputSentence(output: DeviceOutput, names: SceneNames, line: boolean): SentencePart[] {
  const who = output.selector === 'trigger' ? '' : selected(output, names, 'all')
  if (output.type === 'propertyControl') {
    const values = { who, settings: settings(output, names) }
    if (line) return [plain(who ? t('设置 {who} {settings}', values) : t('设置 {settings}', values))]
    return marked(who ? t('设置 {who} <0>{settings}</0>', values) : t('设置 <0>{settings}</0>', values))
  }
  const action = names.action(output.productID, output.dataID) ?? output.dataID
  if (!who) return [strong(action)]
  return line
    ? [plain(t('调用 {who}「{action}」', { who, action }))]
    : marked(t('调用 {who}<0>「{action}」</0>', { who, action }))
}

/** Only the host of an address: the rest may hold its key. */
function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return t('地址有误')
  }
}

function receivers({ channelIDs, type, url, to }: NotifyOutput, names: SceneNames): string {
  const said = channelIDs.map((id) => names.channel(id) ?? t('渠道 {id}', { id }))
  if (url) said.push(t('{channel}（{host}）', { channel: t(channelTypeLabels[type ?? 'webhook']), host: hostOf(url) }))
  if (to)
    said.push(typeof to === 'string' ? to : to.length > 1 ? t('邮件 {count} 人', { count: to.length }) : (to[0] ?? ''))
  return said.length > 3
    ? t('{said} 等 {count} 处', { said: said.slice(0, 3).join(t('、')), count: said.length })
    : said.join(t('、'))
}

function alarmNames(alarms: readonly string[]): SentencePart[] {
  if (alarms.length === 0) return []
  const shown = alarms.slice(0, 2).map((name, at) => t('「{name}」', { name, context: at > 0 ? 'next' : undefined }))
  return [strong(`${shown.join('')}${alarms.length > 2 ? t('等 {count} 个', { count: alarms.length }) : ''}`)]
}

function actionSentence(action: SceneAction, names: SceneNames, line = false): SentencePart[] {
  const { delay, device, alarm, notify, scene } = action
  if (delay) return [plain(t('延时 ')), strong(durationText(delay.time, delay.unit))]
  if (device) return outputSentence(device, names, line)
  if (alarm) {
    const context = names.alarms.length > 0 ? 'named' : 'sentence'
    return [plain(t(alarm.mode === 'trigger' ? '触发告警' : '解除告警', { context })), ...alarmNames(names.alarms)]
  }
  if (notify) return [plain(t('通知 ')), strong(receivers(notify, names))]
  if (scene) {
    const name = names.scene(scene.sceneID) ?? scene.sceneID
    return [plain(t('执行场景', { context: 'named' })), strong(t('「{name}」', { name }))]
  }
  return []
}

/** One action for logs. */
export const describeAction = (action: SceneAction, names: SceneNames): string =>
  asText(actionSentence(action, names, true))

const thenSentence = (actions: readonly SceneAction[], names: SceneNames): SentencePart[] =>
  actions.flatMap((action, index) => {
    const parts = actionSentence(action, names)
    return index === 0 ? parts : [plain(action.parallel ? ' ＋ ' : ' → '), ...parts]
  })

/** `when` can stand behind the trigger with "，且": what is joined by "or" comes in brackets then. */
export function describeScene(
  parts: SceneParts,
  names: SceneNames,
): { trigger: SentencePart[]; when: SentencePart[]; then: SentencePart[] } {
  const when = fold(parts.conditions, names)
  const tidy = (list: SentencePart[]) => list.filter(({ text }) => text !== '')
  return {
    trigger: tidy(triggerSentence(parts, names)),
    when: tidy(when.joint === 'or' ? inBrackets(when.parts) : when.parts),
    then: tidy(thenSentence(parts.actions, names)),
  }
}
