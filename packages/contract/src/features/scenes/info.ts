/** Scene linkage: scenes themselves (http-api.md 6, rules.md 1 to 4). */
import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { pageInput, pageOf } from '../../paging.ts'
import { sceneLimits, triggerTypes } from '../../rules/scene-limits.ts'
import { filterText, id, int, optionalEnum, text } from '../../wire.ts'
import { alarmBody } from '../alarms/config.ts'

export const sceneGroup = '场景联动'
const { query, add, modify, remove, act } = endpointsOf(sceneGroup)

export const SceneStatus = { enabled: 1, disabled: 2 } as const
export type SceneStatus = (typeof SceneStatus)[keyof typeof SceneStatus]

/** How a run stands; missed: it did not fire, and why. */
export const RunResult = { running: 1, waiting: 2, success: 3, partly: 4, failed: 5, missed: 6 } as const
export type RunResult = (typeof RunResult)[keyof typeof RunResult]
export const runResultLabels: Record<RunResult, string> = {
  1: '执行中',
  2: '延时等待',
  3: '成功',
  4: '部分失败',
  5: '失败',
  6: '未触发',
}

export const sceneJson = z.string().max(sceneLimits.textBytes).nullish()
export const sceneTriggerType = z.enum(triggerTypes)
/** 0 and absent count as enabled (rules.md 1). */
const status = optionalEnum(SceneStatus)

/** A piece of a sentence; `strong` is what a reader looks for. */
const sentencePart = z.object({ text: z.string(), strong: z.boolean().optional() })
const sentence = z.array(sentencePart)

const linkedAlarm = z.object({ id: z.int(), name: z.string(), level: z.int(), status: z.int() })

export const scene = z.object({
  id: z.int(),
  name: z.string(),
  status: z.int(),
  desc: z.string(),
  /** Seconds. */
  createdTime: z.number(),
  triggerType: sceneTriggerType,
  trigger: z.string(),
  when: z.string(),
  then: z.string(),
  /** Ours from here on. Seconds. */
  updatedTime: z.number(),
  updatedBy: z.string(),
  rev: z.int(),
  /** What it says, for people: when, if, then. */
  triggerText: sentence,
  whenText: sentence,
  thenText: sentence,
  /** Devices, properties, channels it needs and that are gone: saving and switching on refuse it like that. */
  problems: z.array(z.string()),
  /** Worth telling, but no refusal: no alarm is linked yet, a condition is kept that is never true. */
  hints: z.array(z.string()),
  alarms: z.array(linkedAlarm),
  /** Milliseconds; 0: never. */
  lastRunTime: z.number(),
  lastResult: z.int(),
  lastText: z.string(),
  /** Milliseconds of the next scheduled run; 0: none. */
  nextRunTime: z.number(),
  /** Firings of the last seven days, oldest first. */
  firedByDay: z.array(z.int()),
})
export type Scene = z.output<typeof scene>

const sceneBody = z.object({
  name: text(64, 1),
  desc: text(200).nullish(),
  status,
  /** Existing consoles say `state` (decisions.md 2 "Alarm config state"). */
  state: status,
  triggerType: sceneTriggerType,
  trigger: sceneJson,
  when: sceneJson,
  then: sceneJson,
  /** Ours: all alarms that it raises and clears, with the right of `linkScenes`; left out, they stay. */
  alarmIDs: z.array(id()).max(100).optional(),
})

export const createScene = add('/api/v1/things/rule/scene/info/create', '新增场景', {
  body: sceneBody.extend({
    /** Ours: a new alarm that it raises, both or neither, with the rights of `createAlarm` and `linkScenes`. */
    alarm: alarmBody.optional(),
  }),
  data: z.object({ id: z.int(), alarmID: z.int().optional() }),
})
export const updateScene = modify('/api/v1/things/rule/scene/info/update', '修改场景', {
  body: sceneBody.partial().extend({ id: id(), rev: int(0).optional() }),
})
const sceneKey = z.object({ id: id() })
export const deleteScene = remove('/api/v1/things/rule/scene/info/delete', '删除场景', { body: sceneKey })
export const readScene = query('/api/v1/things/rule/scene/info/read', '场景详情', { body: sceneKey, data: scene })

export const sceneSortFields = ['name', 'createdTime', 'updatedTime', 'lastRunTime', 'status'] as const
const emptyAsNone = z.literal('').transform(() => undefined)

export const listScenes = query('/api/v1/things/rule/scene/info/index', '场景列表', {
  body: z.object({
    name: filterText(64),
    triggerType: z.union([emptyAsNone, sceneTriggerType]).optional(),
    status,
    state: status,
    alarmID: z.union([emptyAsNone, int(0)]).optional(),
    /** Ours. */
    lastResult: optionalEnum(RunResult),
    sceneIDs: z.array(id()).max(1000).optional(),
    /** Those that name a property, event, action or device of the product. */
    productID: filterText(64),
    page: pageInput,
  }),
  data: pageOf(scene).extend({ num: z.int() }),
})

/** rules.md 4: enabled (else 100021) and manual (else 100006); `when` is not asked. */
export const triggerScene = act('/api/v1/things/rule/scene/info/manually-trigger', '手动触发场景', {
  body: sceneKey,
  /** Ours: where its log is found. */
  data: z.object({ runID: z.string() }),
})

/** Ours: the counters above the list. */
export const countScenes = query('/api/v1/things/rule/scene/info/count', '场景统计', {
  data: z.object({
    total: z.int(),
    enabled: z.int(),
    fired: z.int(),
    firedBefore: z.int(),
    failed: z.int(),
    failedScenes: z.int(),
    /** Milliseconds from the trigger to the first action, of the last day; -1: nothing ran. */
    actionP99: z.number(),
  }),
})
