/** The built-in words of alarm notices: good enough to act on from a phone's lock screen. The console previews them. */
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
  if (minutes < 1) return `${Math.max(1, Math.round(ms / second))} 秒`
  if (minutes < 60) return `${minutes} 分钟`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} 小时 ${minutes % 60} 分钟` : `${Math.floor(hours / 24)} 天`
}

type DeviceWords = Pick<AlarmWords, 'productName' | 'deviceName' | 'deviceAlias'>

const fullName = ({ deviceName, deviceAlias }: DeviceWords): string =>
  deviceAlias === '' || deviceAlias === deviceName ? deviceName : `${deviceAlias}（${deviceName}）`

/** Which device; nothing without one. */
export function deviceLines(words: DeviceWords): string[] {
  if (words.deviceName === '') return []
  const product = words.productName === '' ? [] : [`产品：${words.productName}`]
  return [`设备：${fullName(words)}`, ...product]
}

/** Titles are short: one name is enough. */
function place({ deviceName, deviceAlias }: DeviceWords): string {
  const name = deviceAlias || deviceName
  return name === '' ? '' : ` · ${name}`
}

const lastedLine = ({ lasted, count }: AlarmWords): string => `持续：${lastedText(lasted)}，共 ${count} 次`

/** @param again it has been open for a while: says since when and how often */
export function raisedTexts(words: AlarmWords, again = words.count > 1): NoticeTexts {
  const { alarmName, level, sceneName, trigger, time } = words
  return {
    title: `【${level}】${alarmName}${place(words)}${again ? '（仍在告警）' : ''}`,
    content: [
      `触发：${trigger || sceneName}`,
      ...deviceLines(words),
      ...(again ? [lastedLine(words)] : []),
      `场景：${sceneName}`,
      `时间：${time}`,
    ].join('\n'),
  }
}

export const clearedTexts = (words: AlarmWords): NoticeTexts => ({
  title: `【已解除】${words.alarmName}${place(words)}`,
  content: [...deviceLines(words), lastedLine(words), `解除：场景「${words.sceneName}」`, `时间：${words.time}`].join(
    '\n',
  ),
})

const shownDevices = 10

function manyLine(devices: readonly string[]): string {
  const more = devices.length > shownDevices ? ` 等 ${devices.length} 个` : ''
  return `设备：${devices.slice(0, shownDevices).join('、')}${more}`
}

/** One notice for many records of an alarm; `devices` has one name for each. */
export const clearedManyTexts = (
  { alarmName, sceneName, time }: Pick<AlarmWords, 'alarmName' | 'sceneName' | 'time'>,
  devices: readonly string[],
): NoticeTexts => ({
  title: `【已解除】${alarmName} · ${devices.length} 条`,
  content: [manyLine(devices), `解除：场景「${sceneName}」`, `时间：${time}`].join('\n'),
})

/** The same for many that are still open. */
export const standingManyTexts = (
  { alarmName, level, time }: Pick<AlarmWords, 'alarmName' | 'level' | 'time'>,
  devices: readonly string[],
): NoticeTexts => ({
  title: `【${level}】${alarmName} · ${devices.length} 条（仍在告警）`,
  content: [manyLine(devices), `时间：${time}`].join('\n'),
})
