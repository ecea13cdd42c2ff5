/** Scene linkage (http-api.md 6, rules.md 1 to 4; additions "Scenes and alarms"). */
import * as z from 'zod'
import { BusinessType, endpoint } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { sceneLimits } from '../rules/scene-parts.ts'
import { triggerTypes } from '../rules/scene-text.ts'
import { filterText, id, int, nothing, optionalEnum, text } from '../wire.ts'
import { deviceKeyInput } from './devices/info.ts'

const group = '场景联动'
const base = '/api/v1/things/rule/scene'

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

const jsonText = z.string().max(sceneLimits.textBytes).nullish()
const triggerType = z.enum(triggerTypes)
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
  triggerType,
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
  /** Devices, properties, alarms it needs and that are gone: it cannot run like that. */
  problems: z.array(z.string()),
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
  /** Existing consoles say `state` (decisions.md 2). */
  state: status,
  triggerType,
  trigger: jsonText,
  when: jsonText,
  then: jsonText,
})

export const createScene = endpoint({
  path: `${base}/info/create`,
  access: 'role',
  name: '新增场景',
  group,
  businessType: BusinessType.add,
  body: sceneBody,
  data: z.object({ id: z.int() }),
})
export const updateScene = endpoint({
  path: `${base}/info/update`,
  access: 'role',
  name: '修改场景',
  group,
  businessType: BusinessType.modify,
  body: sceneBody.extend({ id: id(), rev: int(0).optional() }),
  data: nothing,
})
const sceneKey = z.object({ id: id() })
export const deleteScene = endpoint({
  path: `${base}/info/delete`,
  access: 'role',
  name: '删除场景',
  group,
  businessType: BusinessType.delete,
  body: sceneKey,
  data: nothing,
})
export const readScene = endpoint({
  path: `${base}/info/read`,
  access: 'role',
  name: '场景详情',
  group,
  businessType: BusinessType.query,
  body: sceneKey,
  data: scene,
})

export const sceneSortFields = ['name', 'createdTime', 'updatedTime', 'lastRunTime', 'status'] as const
const emptyAsNone = z.literal('').transform(() => undefined)

export const listScenes = endpoint({
  path: `${base}/info/index`,
  access: 'role',
  name: '场景列表',
  group,
  businessType: BusinessType.query,
  body: z.object({
    name: filterText(64),
    triggerType: z.union([emptyAsNone, triggerType]).optional(),
    status,
    state: status,
    alarmID: z.union([emptyAsNone, int(0)]).optional(),
    /** Ours. */
    lastResult: optionalEnum(RunResult),
    sceneIDs: z.array(id()).max(1000).optional(),
    page: pageInput,
  }),
  data: pageOf(scene).extend({ num: z.int() }),
})

/** rules.md 4: enabled (else 100021) and manual (else 100006); `when` is not asked. */
export const triggerScene = endpoint({
  path: `${base}/info/manually-trigger`,
  access: 'role',
  name: '手动触发场景',
  group,
  businessType: BusinessType.other,
  body: sceneKey,
  /** Ours: where its log is found. */
  data: z.object({ runID: z.string() }),
})

/** Ours: the counters above the list. */
export const countScenes = endpoint({
  path: `${base}/info/count`,
  access: 'role',
  name: '场景统计',
  group,
  businessType: BusinessType.query,
  body: z.object({}),
  data: z.object({
    total: z.int(),
    enabled: z.int(),
    fired: z.int(),
    firedBefore: z.int(),
    failed: z.int(),
    failedScenes: z.int(),
    /** Milliseconds from the trigger to the first action, of the last day; -1: nothing ran. */
    actionP99: z.number(),
    /** The zone that schedules and times of day are meant in. */
    timeZone: z.string(),
  }),
})

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
  triggerType,
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

export const listSceneLogs = endpoint({
  path: `${base}/log/index`,
  access: 'role',
  name: '场景执行日志',
  group,
  businessType: BusinessType.query,
  body: z.object({
    sceneID: z.union([emptyAsNone, int(0)]).optional(),
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

/** The scene as it is in the editor, saved or not. */
const draftScene = z.object({
  id: int(0).optional(),
  name: text(64).default(''),
  triggerType,
  trigger: jsonText,
  when: jsonText,
  then: jsonText,
})
export type DraftScene = z.input<typeof draftScene>

const plannedAction = z.object({ text: z.string() })

/** additions: a sample message against the unsaved scene; nothing is done. Without a message: timer and manual scenes. */
export const dryRunScene = endpoint({
  path: `${base}/info/dry-run`,
  access: 'role',
  name: '场景试运行',
  group,
  businessType: BusinessType.query,
  body: z.object({
    scene: draftScene,
    message: z
      .object({
        ...deviceKeyInput.shape,
        params: z.record(z.string().max(128), z.unknown()).optional(),
        eventID: text(128).optional(),
        /** Presence triggers. */
        online: z.boolean().optional(),
        /** Milliseconds; absent: now. */
        timestamp: int(0).optional(),
      })
      .optional(),
  }),
  data: z.object({
    fired: z.boolean(),
    reason: z.string(),
    /** Triggers first, then conditions; `level` shows the groups. */
    triggers: z.array(checkedCondition),
    conditions: z.array(checkedCondition),
    actions: z.array(plannedAction),
    /** Microseconds. */
    latency: z.number(),
  }),
})

const firing = z.object({
  /** Milliseconds. */
  timestamp: z.number(),
  deviceName: z.string(),
  /** What the trigger and the conditions saw: identifier -> text. */
  values: z.record(z.string(), z.string()),
})
export type Firing = z.output<typeof firing>

export const backtestLimits = { days: 90, firings: 1_000, chartPoints: 600, devices: 10_000 } as const

/** What a finished backtest found; also the `result` of its job. */
export const backtestReport = z.object({
  fired: z.array(firing),
  /** All firings, also those beyond the list. */
  total: z.int(),
  devices: z.int(),
  /** Values replayed. */
  scanned: z.int(),
  seconds: z.number(),
  /** The trigger held but a condition did not; how often and the first of them. */
  missed: z.int(),
  missedAt: z.array(z.object({ timestamp: z.number(), deviceName: z.string(), reason: z.string() })),
  /** Most extreme value of the trigger's property over all devices by time; empty when it is no number. */
  chart: z.object({
    property: z.string(),
    threshold: z.array(z.number()),
    points: z.array(z.object({ timestamp: z.number(), min: z.number(), max: z.number() })),
  }),
  /** The saved version over the same values; absent when there is none. */
  saved: z.object({ total: z.int(), times: z.array(z.number()) }).optional(),
  /** Why a part of the scene could not be replayed, like presence that is no longer known. */
  notes: z.array(z.string()),
})
export type BacktestReport = z.output<typeof backtestReport>

export const startBacktest = endpoint({
  path: `${base}/info/backtest`,
  access: 'role',
  name: '场景回测',
  group,
  businessType: BusinessType.query,
  body: z.object({
    scene: draftScene.optional(),
    /** A saved scene instead; with both, `id` names the version to compare with. */
    id: int(0).optional(),
    /** Milliseconds, [timeStart, timeEnd). */
    timeStart: int(0),
    timeEnd: int(0),
  }),
  /** Progress, cancelling and the report of longer ones: the job of that id. */
  data: backtestReport.partial().extend({ jobID: z.string() }),
})

/** Live notices (additions "Live"): a run was added or ended. */
export const scenesTopic = 'scene'
