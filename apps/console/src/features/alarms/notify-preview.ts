/** Texts of a notice as they would arrive: variables filled in with an example. Pure. */

import { alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import { type NotifyVariable, notifyVariables } from '@ithings/contract/features/notify.ts'
import { type AlarmWords, raisedTexts } from '@ithings/contract/rules/alarm-notice.ts'
import { fillTemplate, unknownNames } from '@ithings/contract/rules/notice-template.ts'
import { t } from '@ithings/contract/text.ts'
import { labelOf } from '#kit/status-tag.tsx'

export const variableNames = Object.keys(notifyVariables) as NotifyVariable[]

export const exampleOf = (alarm: { name: string; level: number }, now: string): AlarmWords => ({
  sceneName: t('水泵超温联锁停泵'),
  alarmName: alarm.name,
  level: labelOf(alarmLevelLabels, alarm.level),
  productName: t('水泵站'),
  deviceName: 'pump-02',
  deviceAlias: t('三号泵站-P02'),
  trigger: t('水泵温度 > 80 ℃（实际 83.6 ℃）'),
  time: now,
  count: 1,
  lasted: 0,
})

export const unknownVariables = (text: string): string[] => unknownNames(text, notifyVariables)

/** Empty texts are the built-in ones of the platform. */
export function previewOf(texts: { title: string; content: string }, example: AlarmWords) {
  const { lasted: _, count, ...words } = example
  const variables: Record<NotifyVariable, string> = { ...words, count: String(count) }
  const builtIn = raisedTexts(example)
  return {
    title: fillTemplate(texts.title || builtIn.title, variables),
    content: fillTemplate(texts.content || builtIn.content, variables),
  }
}
