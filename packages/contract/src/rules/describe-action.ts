/** What a scene does, as a sentence, "停泵 → 延时 10 秒 → 触发告警", and as a line of logs. */
import { t } from '#text.ts'
import { channelTypeLabels } from './channel-types.ts'
import { durationText, selected } from './describe-words.ts'
import { type SceneNames, showValue } from './scene-names.ts'
import type { DeviceOutput, NotifyOutput, SceneAction } from './scene-parts.ts'
import { marked, plain, type SentencePart } from './sentence.ts'

const shownSettings = 3

/** Each property with its new value. */
function settingsOf({ productID, value }: DeviceOutput, names: SceneNames) {
  return Object.entries(JSON.parse(value) as Record<string, unknown>).map(([id, given]) => {
    const property = names.property(productID, [id])
    return { name: property?.name ?? id, value: showValue(property, given) }
  })
}

function settingsText(settings: ReturnType<typeof settingsOf>): string {
  const shown = settings.slice(0, shownSettings)
  const said = shown.map((one) => t('{name} = {value}', one)).join(t('、'))
  const count = settings.length
  return count > shownSettings
    ? t('{settings} 等 {count} 项', { settings: said, count, others: count - shownSettings })
    : said
}

/** '': the device that started the scene. */
const outputDevices = (output: DeviceOutput, names: SceneNames): string =>
  output.selector === 'trigger' ? '' : selected(output, names, 'all')

const actionName = ({ productID, dataID }: DeviceOutput, names: SceneNames): string =>
  names.action(productID, dataID) ?? dataID

function outputSentence(output: DeviceOutput, names: SceneNames): string {
  const who = outputDevices(output, names)
  if (output.type === 'action') {
    const action = actionName(output, names)
    return who ? t('调用 {who}<0>「{action}」</0>', { who, action }) : t('<0>{action}</0>', { action })
  }
  const settings = settingsOf(output, names)
  const [one] = settings
  if (one && settings.length === 1)
    return who ? t('设置 {who} <0>{name} = {value}</0>', { who, ...one }) : t('设置 <0>{name} = {value}</0>', one)
  const values = { who, settings: settingsText(settings) }
  return who ? t('设置 {who} <0>{settings}</0>', values) : t('设置 <0>{settings}</0>', values)
}

function outputLine(output: DeviceOutput, names: SceneNames): string {
  const who = outputDevices(output, names)
  if (output.type === 'action') {
    const action = actionName(output, names)
    return who ? t('调用 {who}「{action}」', { who, action }) : t('{action}', { action })
  }
  const values = { who, settings: settingsText(settingsOf(output, names)) }
  return who ? t('设置 {who} {settings}', values) : t('设置 {settings}', values)
}

/** Only the host of an address: the rest may hold its key. */
function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return t('地址有误')
  }
}

const shownReceivers = 3

/** Who is told; '': nobody yet. */
export function receiversText({ channelIDs, type, url, to }: NotifyOutput, names: SceneNames): string {
  const said = channelIDs.map((id) => names.channel(id) ?? t('渠道 {id}', { id }))
  if (url) said.push(t('{channel}（{host}）', { channel: t(channelTypeLabels[type ?? 'webhook']), host: hostOf(url) }))
  if (to)
    said.push(typeof to === 'string' ? to : to.length > 1 ? t('邮件 {count} 人', { count: to.length }) : (to[0] ?? ''))
  const shown = said.slice(0, shownReceivers).join(t('、'))
  const count = said.length
  return count > shownReceivers
    ? t('{said} 等 {count} 处', { said: shown, count, others: count - shownReceivers })
    : shown
}

function alarmNames([first = '', second, ...more]: readonly string[]): string {
  if (second === undefined) return t('「{name}」', { name: first })
  return more.length === 0
    ? t('「{first}」「{second}」', { first, second })
    : t('「{first}」「{second}」等 {count} 个', { first, second, count: more.length + 2, others: more.length })
}

function alarmSentence(raises: boolean, alarms: readonly string[]): string {
  if (alarms.length === 0)
    return raises ? t('触发告警', { context: 'sentence' }) : t('解除告警', { context: 'sentence' })
  const values = { count: alarms.length, alarms: alarmNames(alarms) }
  return raises ? t('触发告警<0>{alarms}</0>', values) : t('解除告警<0>{alarms}</0>', values)
}

function alarmLine(raises: boolean, alarms: readonly string[]): string {
  if (alarms.length === 0) return raises ? t('触发告警') : t('解除告警')
  const values = { count: alarms.length, alarms: alarmNames(alarms) }
  return raises ? t('触发告警{alarms}', values) : t('解除告警{alarms}', values)
}

const sceneName = (sceneID: number, names: SceneNames): string => names.scene(sceneID) ?? String(sceneID)

function actionSentence({ delay, device, alarm, notify, scene }: SceneAction, names: SceneNames): string {
  if (delay) return t('延时 <0>{duration}</0>', { duration: durationText(delay.time, delay.unit) })
  if (device) return outputSentence(device, names)
  if (alarm) return alarmSentence(alarm.mode === 'trigger', names.alarms)
  if (notify) return t('通知 <0>{receivers}</0>', { receivers: receiversText(notify, names) })
  return scene ? t('执行场景<0>「{name}」</0>', { name: sceneName(scene.sceneID, names) }) : ''
}

/** One action for logs. */
export function describeAction({ delay, device, alarm, notify, scene }: SceneAction, names: SceneNames): string {
  if (delay) return t('延时 {duration}', { duration: durationText(delay.time, delay.unit) })
  if (device) return outputLine(device, names)
  if (alarm) return alarmLine(alarm.mode === 'trigger', names.alarms)
  if (notify) return t('通知 {receivers}', { receivers: receiversText(notify, names) })
  return scene ? t('执行场景「{name}」', { name: sceneName(scene.sceneID, names) }) : ''
}

export const thenSentence = (actions: readonly SceneAction[], names: SceneNames): SentencePart[] =>
  actions.flatMap((action, index) => {
    const parts = marked(actionSentence(action, names))
    return index === 0 ? parts : [plain(action.parallel ? t(' ＋ ') : t(' → ')), ...parts]
  })
