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

const fullName = ({ deviceName, deviceAlias }: AlarmWords): string =>
  deviceAlias === '' || deviceAlias === deviceName ? deviceName : `${deviceAlias}（${deviceName}）`

function whereLines(words: AlarmWords): string[] {
  if (words.deviceName === '') return []
  const product = words.productName === '' ? [] : [`产品：${words.productName}`]
  return [`设备：${fullName(words)}`, ...product]
}

/** Titles are short: one name is enough. */
function place({ deviceName, deviceAlias }: AlarmWords): string {
  const name = deviceAlias || deviceName
  return name === '' ? '' : ` · ${name}`
}

const lastedLine = ({ lasted, count }: AlarmWords): string => `持续：${lastedText(lasted)}，共 ${count} 次`

/** On opening, and again while it goes on. */
export function raisedTexts(words: AlarmWords): NoticeTexts {
  const { alarmName, level, sceneName, trigger, time, count } = words
  const again = count > 1
  return {
    title: `【${level}】${alarmName}${place(words)}${again ? '（仍在告警）' : ''}`,
    content: [
      `触发：${trigger || sceneName}`,
      ...whereLines(words),
      ...(again ? [lastedLine(words)] : []),
      `场景：${sceneName}`,
      `时间：${time}`,
    ].join('\n'),
  }
}

export const clearedTexts = (words: AlarmWords): NoticeTexts => ({
  title: `【已解除】${words.alarmName}${place(words)}`,
  content: [...whereLines(words), lastedLine(words), `解除：场景「${words.sceneName}」`, `时间：${words.time}`].join(
    '\n',
  ),
})

const shownDevices = 10

/** One notice for many records of an alarm; `devices` has one name for each. */
export function clearedManyTexts(
  { alarmName, sceneName, time }: Pick<AlarmWords, 'alarmName' | 'sceneName' | 'time'>,
  devices: readonly string[],
): NoticeTexts {
  const more = devices.length > shownDevices ? ` 等 ${devices.length} 个` : ''
  return {
    title: `【已解除】${alarmName} · ${devices.length} 条`,
    content: [
      `设备：${devices.slice(0, shownDevices).join('、')}${more}`,
      `解除：场景「${sceneName}」`,
      `时间：${time}`,
    ].join('\n'),
  }
}
