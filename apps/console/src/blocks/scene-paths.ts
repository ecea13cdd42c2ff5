/** Where a scene is looked at (spec 2, screens.md 11): one address for the new scene and the old one. */
import type { TriggerType } from '@ithings/contract/rules/scene-text.ts'

export const scenesPath = '/ruleEngine/scene/index'
const detailPath = '/ruleEngine/scene/detail'

export const newScenePath = (type: TriggerType): string => `${detailPath}?type=${type}`
export const scenePath = (id: number): string => `${detailPath}?id=${id}`
