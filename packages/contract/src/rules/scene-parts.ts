/**
 * The three parts of a scene (rules.md 2 to 4): what starts it, what must hold, what is
 * done. On the wire each is a JSON text; these schemas take everything existing consoles write and give one form.
 */

import * as z from 'zod'
import { checkCron } from '../cron.ts'
import { saying } from '../describe-issue.ts'
import { parseRecord } from '../is-record.ts'
import { id, int, number, text } from '../wire.ts'
import { channelTypes } from './channel-types.ts'
import {
  dataID,
  deviceTrigger,
  fits,
  hasTermValues,
  named,
  productID,
  selectorValues,
  term,
  unit,
  values,
} from './device-trigger.ts'
import { sceneLimits } from './scene-limits.ts'
import { secondsOf } from './time-units.ts'

const deviceName = text(48)
const badCron = 'cron表达式检验不通过:{value}'
const cron = text(128).superRefine((value, context) => {
  const verdict = checkCron(value)
  if (!verdict.ok) context.addIssue({ code: 'custom', ...saying(badCron, { value }) })
})
export const timerTrigger = z.object({ type: z.literal('cron').default('cron'), cron })
export type TimerTrigger = z.output<typeof timerTrigger>

/** Writing takes the object and the bare list of device triggers (rules.md 2). */
export const sceneTrigger = z.union([
  z
    .array(deviceTrigger)
    .max(sceneLimits.triggers)
    .transform((device) => ({ device, timer: null })),
  z
    .object({
      device: z.array(deviceTrigger).max(sceneLimits.triggers).nullish(),
      timer: timerTrigger.nullish(),
    })
    .transform(({ device, timer }) => ({ device: device ?? null, timer: timer ?? null })),
])
export type SceneTrigger = z.output<typeof sceneTrigger>

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, '须为 HH:MM')
const columnTime = z.union([
  /** A range of times: true when now matches every field (rules.md 3). */
  z.object({ type: z.literal('cron').default('cron'), cron: text(128, 1) }),
  /** Ours: from start to end, over midnight when end is not after start; 1 Monday to 7 Sunday, none given: every day. */
  z.object({
    type: z.literal('range'),
    start: clockTime,
    end: clockTime,
    weekdays: z.array(int(1, 7)).max(7).default([]),
  }),
])
export type ColumnTime = z.output<typeof columnTime>

const columnSchema = z
  .object({
    productID,
    /** Ours: '' is the device that started the scene. */
    deviceName: deviceName.default(''),
    dataID: dataID.min(1),
    termType: term,
    values,
  })
  .refine(hasTermValues, { path: ['values'], message: '比较值的个数与操作符不符' })
export type ColumnSchema = z.output<typeof columnSchema>

const joint = z.enum(['and', 'or'])

export interface Condition {
  /** group (ours): nothing of its own, only `terms`. event: taken from existing scenes, never true. */
  columnType: 'property' | 'sysTime' | 'event' | 'group'
  columnTime?: ColumnTime | null | undefined
  columnSchema?: ColumnSchema | null | undefined
  /** Relation to the NEXT one (sic). */
  netCondition: 'and' | 'or'
  /** How `terms` are joined to the condition itself. */
  childrenCondition?: 'and' | 'or' | null | undefined
  terms?: Condition[] | null | undefined
}

const tooDeep = saying('条件最多嵌套 {max} 层', { max: sceneLimits.conditionDepth })
const none = z.custom<Condition[]>((given) => Array.isArray(given) && given.length === 0, tooDeep)

const lacking = { property: '请填写属性条件', time: '请填写时间条件', terms: '条件组不能为空' } as const

/** Written out to its depth instead of calling itself: no text can make the check itself run out of stack. */
const conditionAbove = (levels: number): z.ZodType<Condition> =>
  z
    .object({
      columnType: z.enum(['property', 'sysTime', 'event', 'group']),
      columnTime: columnTime.nullish(),
      columnSchema: columnSchema.nullish(),
      netCondition: joint.default('and'),
      childrenCondition: joint.nullish(),
      terms: (levels > 0 ? z.array(conditionAbove(levels - 1)) : none).nullish(),
    })
    .refine((one) => one.columnType !== 'property' || one.columnSchema, { message: lacking.property })
    .refine((one) => one.columnType !== 'sysTime' || one.columnTime, { message: lacking.time })
    .refine((one) => one.columnType !== 'group' || (one.terms?.length ?? 0) > 0, { message: lacking.terms })

const sizeOf = (list: readonly Condition[]): number => list.reduce((sum, one) => sum + 1 + sizeOf(one.terms ?? []), 0)

export const sceneConditions = z
  .array(conditionAbove(sceneLimits.conditionDepth))
  .refine(
    (list) => sizeOf(list) <= sceneLimits.conditions,
    saying('最多 {max} 个条件', { max: sceneLimits.conditions }),
  )

const delay = z.object({ time: number(0, sceneLimits.seconds), unit })
const lasts = ({ time, unit }: z.output<typeof delay>) => secondsOf({ value: time, unit })
const deviceOutput = z
  .object({
    productID,
    /** trigger (ours): the device that started the scene. */
    selector: z.enum(['all', 'fixed', 'group', 'trigger']).default('fixed'),
    selectorValues,
    type: z.enum(['propertyControl', 'action']),
    dataID: z.union([text(128), z.array(text(128)).transform((list) => list[0] ?? '')]).default(''),
    /** JSON object text. */
    value: z.string().min(2).max(sceneLimits.textBytes),
  })
  .refine(named, { path: ['selectorValues'], message: '请选择设备或分组' })
  .refine(fits, { path: ['selectorValues'], message: '分组须为编号' })
  .refine((one) => one.type !== 'action' || one.dataID !== '', { path: ['dataID'], message: '请选择行为' })
  .refine(({ value }) => parseRecord(value) !== undefined, { path: ['value'], message: '须为 JSON 对象' })
export type DeviceOutput = z.output<typeof deviceOutput>

/** By channels, or inline: `url` of a webhook or robot, `to` of a mail. */
const notify = z
  .object({
    channelIDs: z.array(id()).max(20).default([]),
    title: text(200).default(''),
    /** `${deviceName}` and the like are filled in (notifyVariables). */
    content: text(4_000).default(''),
    type: z.enum(channelTypes).optional(),
    url: text(2_048).optional(),
    to: z.union([text(320), z.array(text(320)).max(50)]).optional(),
    /** Of the inline webhook or robot. */
    secret: text(256).optional(),
  })
  .refine((one) => one.channelIDs.length > 0 || one.url || one.to, { message: '请选择通知渠道' })
export type NotifyOutput = z.output<typeof notify>

export const executors = ['delay', 'device', 'alarm', 'notify', 'scene'] as const
export type Executor = (typeof executors)[number]

/** Keys of other executors are null when read back (rules.md 4). */
export const sceneAction = z
  .object({
    executor: z.enum(executors),
    delay: delay.nullish(),
    device: deviceOutput.nullish(),
    alarm: z.object({ mode: z.enum(['trigger', 'relieve']) }).nullish(),
    notify: notify.nullish(),
    scene: z.object({ sceneID: id() }).nullish(),
    /** Ours: starts together with the step before it. */
    parallel: z.boolean().optional(),
  })
  .refine((one) => one[one.executor], { message: '动作缺少参数' })
  .refine(({ executor, delay: wait }) => executor !== 'delay' || !wait || lasts(wait) <= sceneLimits.seconds, {
    path: ['delay'],
    message: '延时最长 24 小时',
  })
  .transform((one) => ({
    executor: one.executor,
    delay: one.executor === 'delay' ? (one.delay ?? null) : null,
    device: one.executor === 'device' ? (one.device ?? null) : null,
    alarm: one.executor === 'alarm' ? (one.alarm ?? null) : null,
    notify: one.executor === 'notify' ? (one.notify ?? null) : null,
    scene: one.executor === 'scene' ? (one.scene ?? null) : null,
    ...(one.parallel && { parallel: true as const }),
  }))
export type SceneAction = z.output<typeof sceneAction>

export const sceneActions = z.array(sceneAction).max(sceneLimits.actions)
