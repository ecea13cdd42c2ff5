/** What a scene tells people by itself: its variables, and the words it uses when it was given none. */
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
  [`触发：${words.trigger}`, ...deviceLines(words), `场景：${words.sceneName}`, `时间：${words.time}`].join('\n')
