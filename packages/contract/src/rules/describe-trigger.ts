/** What starts a scene, as a sentence, "任一水泵站 水泵温度 > 80 ℃ 持续 30 秒", and as a label of logs. */
import { t } from '#text.ts'
import { cronSentence } from './describe-cron.ts'
import { about, comparison, durationText, secondsText, selected, termText } from './describe-words.ts'
import { type DeviceTrigger, type StateKeep, valuesOf } from './device-trigger.ts'
import type { NamedValue, SceneNames } from './scene-names.ts'
import type { TimerTrigger } from './scene-parts.ts'
import type { SceneParts } from './scene-text.ts'
import { asText, between, marked, type SentencePart, strong } from './sentence.ts'
import type { TermType } from './terms.ts'

/** What is watched: a value that is compared, or without a term any report of it. */
interface Watched {
  name: string
  what: NamedValue | undefined
  term: { termType: TermType; values: readonly string[] } | undefined
}

function watchedBy({ productID, operator, operationSchema }: DeviceTrigger, names: SceneNames): Watched {
  const dataID = operationSchema?.dataID ?? []
  const what = operator === 'reportEvent' ? names.event(productID, dataID) : names.property(productID, dataID)
  const { termType, values } = operationSchema ?? {}
  const term = termType ? { termType, values: valuesOf(values) } : undefined
  return { name: what?.name ?? dataID.join('.'), what, term }
}

const repeatWindow = 60

/** `what` holds for some time, or comes several times. */
function lasting(what: string, keep: StateKeep | null | undefined): string {
  if (!keep || keep.value === 0) return what
  if (keep.type === 'repeating')
    return t('{what} {window}内 {count} 次', {
      what,
      window: secondsText(keep.window ?? repeatWindow),
      count: keep.value,
    })
  return t('{what} 持续 {duration}', { what, duration: durationText(keep.value, keep.unit) })
}

/** How long a device has been away or there; '': it counts at once. */
const awayText = (keep: StateKeep | null | undefined): string =>
  keep && keep.type !== 'repeating' && keep.value !== 0 ? durationText(keep.value, keep.unit) : ''

const silenceText = ({ operationSchema }: DeviceTrigger): string =>
  t('{count} 分钟', { count: operationSchema?.minutes ?? 0 })

/** What must happen, in a sentence about those devices. */
function happening(trigger: DeviceTrigger, names: SceneNames, devices: string): string {
  const { operator, operationSchema } = trigger
  const keep = operationSchema?.stateKeep
  const { name, what, term } = watchedBy(trigger, names)
  const who = about(devices)
  const compared = term && { ...who, name, comparison: comparison(what, term.termType, term.values) }
  const duration = awayText(keep)
  switch (operator) {
    case 'connected':
      return duration
        ? t('{who} <0>上线</0> 超过 {duration}', { ...who, duration })
        : lasting(t('{who} <0>上线</0>', who), keep)
    case 'disConnected':
      return duration
        ? t('{who} <0>下线</0> 超过 {duration}', { ...who, duration })
        : lasting(t('{who} <0>下线</0>', who), keep)
    case 'noReport': {
      const silence = { ...who, name, duration: silenceText(trigger) }
      return name ? t('{who} <0>{name} {duration}无数据</0>', silence) : t('{who} <0>{duration}无数据</0>', silence)
    }
    case 'reportEvent':
      return lasting(
        compared
          ? t('{who} 事件 <0>{name} {comparison}</0>', compared)
          : t('{who} 事件 <0>{name}</0>', { ...who, name }),
        keep,
      )
    case 'reportProperty':
      return lasting(
        compared ? t('{who} <0>{name} {comparison}</0>', compared) : t('{who} <0>上报{name}</0>', { ...who, name }),
        keep,
      )
  }
}

/** The same as a label: which devices it is for is said elsewhere. */
function label(trigger: DeviceTrigger, names: SceneNames): string {
  const { operator, operationSchema } = trigger
  const keep = operationSchema?.stateKeep
  const { name, what, term } = watchedBy(trigger, names)
  const compared = term && termText(name, what, term)
  const duration = awayText(keep)
  switch (operator) {
    case 'connected':
      return duration ? t('上线 超过 {duration}', { duration }) : lasting(t('上线', { context: 'sentence' }), keep)
    case 'disConnected':
      return duration ? t('下线 超过 {duration}', { duration }) : lasting(t('下线', { context: 'sentence' }), keep)
    case 'noReport': {
      const silence = { name, duration: silenceText(trigger) }
      return name ? t('{name} {duration}无数据', silence) : t('{duration}无数据', silence)
    }
    case 'reportEvent':
      return lasting(t('事件 {name}', { name: compared ?? name }), keep)
    case 'reportProperty':
      return lasting(compared ?? t('上报{name}', { name }), keep)
  }
}

const isTimer = (trigger: DeviceTrigger | TimerTrigger): trigger is TimerTrigger => 'cron' in trigger

/** One trigger for logs: "水泵温度 > 80 ℃ 持续 30 秒". */
export const describeTrigger = (trigger: DeviceTrigger | TimerTrigger, names: SceneNames): string =>
  isTimer(trigger) ? asText(cronSentence(trigger.cron, names.zone)) : label(trigger, names)

/** Each with its devices, which are said once ('' then) where the next trigger is for the same. */
function withDevices(triggers: readonly DeviceTrigger[], names: SceneNames) {
  let before = ''
  return triggers.map((trigger) => {
    const devices = selected(trigger, names, 'any')
    const who = devices === before ? '' : devices
    before = devices
    return { trigger, who }
  })
}

export function triggerSentence({ triggerType, trigger }: SceneParts, names: SceneNames): SentencePart[] {
  if (triggerType === 'manual') return [strong(t('手动执行', { context: 'sentence' }))]
  if (triggerType === 'timer') return trigger.timer ? cronSentence(trigger.timer.cron, names.zone) : []
  const sentences = withDevices(trigger.device ?? [], names).map(({ trigger, who }) =>
    marked(happening(trigger, names, who).trimStart()),
  )
  return between(sentences, t(' 或 '))
}

/** A name for what such a scene raises: "水泵站 水泵温度 > 80 ℃". */
export const triggerName = ({ trigger }: SceneParts, names: SceneNames): string =>
  withDevices(trigger.device ?? [], names)
    .map(({ trigger, who }, index) => {
      const what = label(trigger, names)
      if (who === '') return what
      const isAll = index === 0 && trigger.selector === 'all'
      return t('{who} {what}', { who: isAll ? (names.product(trigger.productID) ?? trigger.productID) : who, what })
    })
    .join(t(' 或 '))
