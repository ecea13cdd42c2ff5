/** What a scene tells people by itself: its variables, and the words it uses when it was given none. */
import { t } from '#text.ts'
import type { NotifyVariable } from '../features/notify.ts'
import { deviceLines } from './alarm-notice.ts'

/** Those of notifyVariables that a scene can fill in; the others speak of an alarm. */
export const sceneVariables = [
  'sceneName',
  'productName',
  'deviceName',
  'deviceAlias',
  'trigger',
  'time',
] as const satisfies readonly NotifyVariable[]
export type SceneWords = Record<(typeof sceneVariables)[number], string>

export const sceneContent = (words: SceneWords): string =>
  [
    t('触发：{trigger}', { trigger: words.trigger }),
    ...deviceLines(words),
    t('场景：{sceneName}', { sceneName: words.sceneName }),
    t('时间：{time}', { time: words.time }),
  ].join('\n')
