/** The built-in words of alarm notices: good enough to act on from a phone's lock screen. The console previews them. */
import { t } from '#text.ts'
export interface AlarmWords {
  alarmName: string
  /** As people read it. */
  level: string
  sceneName: string
  productName: string
  /** '': raised without a device. */
  deviceName: string
  deviceAlias: string
  /** What was seen; '': the scene says it all. */
  trigger: string
  /** Of this notice, as people read it. */
  time: string
  /** Occurrences since it opened. */
  count: number
  /** Milliseconds since it opened. */
  lasted: number
}

export interface NoticeTexts {
  title: string
  content: string
}

const second = 1_000
const minute = 60 * second

function lastedText(ms: number): string {
  const minutes = Math.floor(ms / minute)
  if (minutes < 1) return t('{count} 秒', { count: Math.max(1, Math.round(ms / second)) })
  if (minutes < 60) return t('{count} 分钟', { count: minutes })
  const hours = Math.floor(minutes / 60)
  return hours < 48
    ? t('{hours} 小时 {minutes} 分钟', { hours, minutes: minutes % 60 })
    : t('{count} 天', { count: Math.floor(hours / 24) })
}

type DeviceWords = Pick<AlarmWords, 'productName' | 'deviceName' | 'deviceAlias'>

const fullName = ({ deviceName, deviceAlias }: DeviceWords): string =>
  deviceAlias === '' || deviceAlias === deviceName
    ? deviceName
    : t('{deviceAlias}（{deviceName}）', { deviceAlias, deviceName })

/** Which device; nothing without one. */
export function deviceLines(words: DeviceWords): string[] {
  if (words.deviceName === '') return []
  const product = words.productName === '' ? [] : [t('产品：{productName}', { productName: words.productName })]
  return [t('设备：{device}', { device: fullName(words) }), ...product]
}

/** Titles are short: one name is enough. */
function place({ deviceName, deviceAlias }: DeviceWords): string {
  const name = deviceAlias || deviceName
  return name === '' ? '' : ` · ${name}`
}

const lastedLine = ({ lasted, count }: AlarmWords): string =>
  t('持续：{duration}，共 {count} 次', { duration: lastedText(lasted), count })

/** @param again it has been open for a while: says since when and how often */
export function raisedTexts(words: AlarmWords, again = words.count > 1): NoticeTexts {
  const { alarmName, level, sceneName, trigger, time } = words
  const named = { level, alarmName, place: place(words) }
  return {
    title: again ? t('【{level}】{alarmName}{place}（仍在告警）', named) : t('【{level}】{alarmName}{place}', named),
    content: [
      t('触发：{trigger}', { trigger: trigger || sceneName }),
      ...deviceLines(words),
      ...(again ? [lastedLine(words)] : []),
      t('场景：{sceneName}', { sceneName }),
      t('时间：{time}', { time }),
    ].join('\n'),
  }
}

export const clearedTexts = (words: AlarmWords): NoticeTexts => ({
  title: t('【已解除】{alarmName}{place}', { alarmName: words.alarmName, place: place(words) }),
  content: [
    ...deviceLines(words),
    lastedLine(words),
    t('解除：场景「{sceneName}」', { sceneName: words.sceneName }),
    t('时间：{time}', { time: words.time }),
  ].join('\n'),
})

const shownDevices = 10

function manyLine(devices: readonly string[]): string {
  const shown = devices.slice(0, shownDevices).join(t('、'))
  return devices.length > shownDevices
    ? t('设备：{devices} 等 {count} 个', { devices: shown, count: devices.length })
    : t('设备：{devices}', { devices: shown })
}

/** One notice for many records of an alarm; `devices` has one name for each. */
export const clearedManyTexts = (
  { alarmName, sceneName, time }: Pick<AlarmWords, 'alarmName' | 'sceneName' | 'time'>,
  devices: readonly string[],
): NoticeTexts => ({
  title: t('【已解除】{alarmName} · {count} 条', { alarmName, count: devices.length }),
  content: [manyLine(devices), t('解除：场景「{sceneName}」', { sceneName }), t('时间：{time}', { time })].join('\n'),
})

/** The same for many that are still open. */
export const standingManyTexts = (
  { alarmName, level, time }: Pick<AlarmWords, 'alarmName' | 'level' | 'time'>,
  devices: readonly string[],
): NoticeTexts => ({
  title: t('【{level}】{alarmName} · {count} 条（仍在告警）', { level, alarmName, count: devices.length }),
  content: [manyLine(devices), t('时间：{time}', { time })].join('\n'),
})
