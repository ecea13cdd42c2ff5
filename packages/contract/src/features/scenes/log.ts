/** What scenes did, and why they did not. */
import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { pageInput, pageOf } from '../../paging.ts'
import { filterText, int, optionalEnum } from '../../wire.ts'
import { RunResult, sceneGroup, sceneTriggerType } from './info.ts'

const { query } = endpointsOf(sceneGroup)

export const checkedCondition = z.object({
  text: z.string(),
  /** What was seen, as people read it; '' when nothing was. Of a group: how many of its members hold, "1 / 2". */
  value: z.string(),
  ok: z.boolean(),
  /** Depth in groups: members stand below their group, one deeper. */
  level: z.int(),
})
export type CheckedCondition = z.output<typeof checkedCondition>

const loggedAction = z.object({
  text: z.string(),
  executor: z.string(),
  ok: z.boolean(),
  /** 200, a catalogue code, or 0 while it runs. */
  code: z.int(),
  msg: z.string(),
  /** Milliseconds. */
  startTime: z.number(),
  endTime: z.number(),
  /** Tokens of commands, for their history. */
  devices: z.array(z.object({ productID: z.string(), deviceName: z.string(), code: z.int(), clientToken: z.string() })),
})
export type LoggedAction = z.output<typeof loggedAction>

const sceneLog = z.object({
  runID: z.string(),
  sceneID: z.int(),
  sceneName: z.string(),
  triggerType: sceneTriggerType,
  /** 1 fired, 2 did not. */
  fired: z.int(),
  result: z.int(),
  /** Why it did not fire or ended early. */
  reason: z.string(),
  triggerText: z.string(),
  productID: z.string(),
  deviceName: z.string(),
  /** The message that started it, for its trace; '' when none did. */
  tranceID: z.string(),
  /** Who started it: a user, a scene, or nobody. */
  userName: z.string(),
  conditions: z.array(checkedCondition),
  actions: z.array(loggedAction),
  /** Milliseconds. */
  startTime: z.number(),
  endTime: z.number(),
  /** Milliseconds from the trigger to the first action. */
  latency: z.number(),
})
export type SceneLog = z.output<typeof sceneLog>

export const listSceneLogs = query('/api/v1/things/rule/scene/log/index', '场景执行日志', {
  body: z.object({
    sceneID: z.union([z.literal('').transform(() => undefined), int(0)]).optional(),
    runID: filterText(32),
    productID: filterText(64),
    deviceName: filterText(48),
    /** Milliseconds, [timeStart, timeEnd). */
    timeStart: int(0).optional(),
    timeEnd: int(0).optional(),
    fired: optionalEnum({ yes: 1, no: 2 }),
    result: optionalEnum(RunResult),
    page: pageInput,
  }),
  data: pageOf(sceneLog),
})

/** Live notices: a run was added or ended. */
export const scenesTopic = 'scene'
