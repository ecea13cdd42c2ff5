/** What a scene may be, and how much of everything: apart from its schemas, which lists of scenes do not need. */
export const triggerTypes = ['device', 'timer', 'manual'] as const
export type TriggerType = (typeof triggerTypes)[number]

export const sceneLimits = {
  triggers: 20,
  /** Leaves and groups of a scene's conditions together. */
  conditions: 50,
  /** Groups inside groups. */
  conditionDepth: 2,
  actions: 50,
  devices: 1_000,
  /** Longest state that is kept, window and delay: seconds. */
  seconds: 86_400,
  noReportMinutes: 43_200,
  /** Scenes started by scenes. */
  chainDepth: 5,
  /** Runs of one scene in a minute; more are refused and counted. */
  runsPerMinute: 600,
  textBytes: 65_536,
} as const
