import type { TriggerType } from '@ithings/contract/rules/scene-text.ts'

export const scenesPath = '/ruleEngine/scene/index'
const detailPath = '/ruleEngine/scene/detail'

/** screens.md 11: one address for the new scene and the old one. */
export const newScenePath = (type: TriggerType) => `${detailPath}?type=${type}`
export const scenePath = (id: number) => `${detailPath}?id=${id}`
