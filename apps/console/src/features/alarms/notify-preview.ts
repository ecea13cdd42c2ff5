/** Texts of a notice as they would arrive: variables filled in with an example. Pure. */
import { alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import { type NotifyVariable, notifyVariables } from '@ithings/contract/features/notify.ts'
import { labelOf } from '#kit/status-tag.tsx'

export const variableNames = Object.keys(notifyVariables) as NotifyVariable[]

export type Example = Record<NotifyVariable, string>

export const exampleOf = (alarm: { name: string; level: number }, now: string): Example => ({
  sceneName: '水泵超温联锁停泵',
  alarmName: alarm.name,
  level: labelOf(alarmLevelLabels, alarm.level),
  productName: '水泵站',
  deviceName: 'pump-02',
  deviceAlias: '三号泵站-P02',
  trigger: '水泵温度 83.6 ℃ > 80 ℃',
  time: now,
  count: '1',
})

const isVariable = (name: string): name is NotifyVariable => name in notifyVariables

/** What is no variable stays as it was typed, so that a slip of the pen is seen. */
export const fillIn = (text: string, example: Example): string =>
  text.replace(/\$\{(\w+)\}/g, (whole, name: string) => (isVariable(name) ? example[name] : whole))

/** Names between `${` and `}` that mean nothing. */
export const unknownVariables = (text: string): string[] => [
  ...new Set([...text.matchAll(/\$\{(\w*)\}/g)].map(([, name]) => name ?? '').filter((name) => !isVariable(name))),
]

/** Empty texts are the built-in ones of the platform. */
export function previewOf(texts: { title: string; content: string }, example: Example) {
  const { level, alarmName, deviceAlias, deviceName, trigger, productName, sceneName, time } = example
  return {
    title: texts.title ? fillIn(texts.title, example) : `【${level}】${alarmName} · ${deviceAlias}`,
    content: texts.content
      ? fillIn(texts.content, example)
      : [
          `触发：${trigger}`,
          `设备：${deviceAlias}（${deviceName}）`,
          `产品：${productName}`,
          `场景：${sceneName}`,
          `时间：${time}`,
        ].join('\n'),
  }
}
