/** Where a scene is looked at (spec 2, screens.md 11): one address for the new scene and the old one. */
import type { TriggerType } from '@ithings/contract/rules/scene-text.ts'

export const scenesPath = '/ruleEngine/scene/index'
const detailPath = '/ruleEngine/scene/detail'

/** What a new alarm begins with: its product, and the property that is above the value. */
export interface SceneStart {
  productID: string
  dataID?: string
  value?: string
}

/** What a new scene of an alarm begins with. */
export interface AlarmStart {
  alarmID: string
  name: string
}

export const newScenePath = (type: TriggerType, start?: AlarmStart): string =>
  `${detailPath}?${new URLSearchParams({ type, ...start })}`
/** An alarm together with the scene that raises it. */
export const newAlarmPath = (start?: SceneStart): string =>
  `${detailPath}?${new URLSearchParams({ type: 'alarm', ...start })}`
export const scenePath = (id: number): string => `${detailPath}?id=${id}`
