/** A scene tried out before it is saved: on a sample message, and on what was stored. */
import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { int, text } from '../../wire.ts'
import { deviceKeyInput } from '../devices/info.ts'
import { sceneGroup, sceneJson, sceneTriggerType } from './info.ts'
import { checkedCondition } from './log.ts'

const { query } = endpointsOf(sceneGroup)

/** The scene as it is in the editor, saved or not. */
const draftScene = z.object({
  id: int(0).optional(),
  name: text(64).default(''),
  triggerType: sceneTriggerType,
  trigger: sceneJson,
  when: sceneJson,
  then: sceneJson,
})
export type DraftScene = z.input<typeof draftScene>

const plannedAction = z.object({ text: z.string() })

/** A sample message against the unsaved scene; nothing is done. Without a message: timer and manual scenes. */
export const dryRunScene = query('/api/v1/things/rule/scene/info/dry-run', '场景试运行', {
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
  /** That fired. */
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

export const startBacktest = query('/api/v1/things/rule/scene/info/backtest', '场景回测', {
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
