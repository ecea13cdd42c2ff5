/**
 * Configuration as objects: exported, compared and applied as a whole. A plan is a set of changes that somebody or
 * something proposed; a person sees it as a difference and approves or refuses it, and nothing changes before.
 */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, optionalEnum, text } from '../wire.ts'

const { query, add, modify } = endpointsOf('配置计划')

/** In the order in which they are created: later ones name earlier ones. */
export const configKinds = ['product', 'model', 'script', 'channel', 'alarm', 'scene', 'role'] as const
export type ConfigKind = (typeof configKinds)[number]
export const configKindLabels: Record<ConfigKind, string> = {
  product: '产品',
  model: '物模型',
  script: '消息解析',
  channel: '通知渠道',
  alarm: '告警配置',
  scene: '场景联动',
  role: '角色',
}

/** How many objects one plan may name, and how large the text of all may be. */
export const maxPlanObjects = 2_000
export const maxPlanBytes = 4 * 1024 * 1024

/**
 * One object as a file holds it. `name` tells it from others of its kind: the id of a product (also of its model and its
 * script), else the name. Others are named by their names, never by numbers, so that a file means the same everywhere.
 */
export const configObject = z.object({
  kind: z.enum(configKinds),
  name: text(64, 1),
  spec: z.record(z.string(), z.unknown()),
})
export type ConfigObject = z.output<typeof configObject>
const objects = z.array(configObject).max(maxPlanObjects)

export const ChangeAct = { create: 1, update: 2, delete: 3 } as const
export type ChangeAct = (typeof ChangeAct)[keyof typeof ChangeAct]
export const changeActLabels: Record<ChangeAct, string> = { 1: '新增', 2: '修改', 3: '删除' }

export const configChange = z.object({
  kind: z.enum(configKinds),
  name: z.string(),
  act: z.int(),
  /** What stands now, and what will; absent on the side where there is no object. */
  before: z.record(z.string(), z.unknown()).optional(),
  after: z.record(z.string(), z.unknown()).optional(),
  /** Of a plan that waits or was applied: what stands at this moment, where that is neither of the two (null: nothing). */
  now: z.record(z.string(), z.unknown()).nullish(),
  /** Why it cannot be applied as it stands; '' when it can. */
  problem: z.string(),
})
export type ConfigChange = z.output<typeof configChange>

/** expired: nobody decided within `planLifeDays`. */
export const PlanState = { proposed: 1, applied: 2, refused: 3, undone: 4, expired: 5 } as const
export type PlanState = (typeof PlanState)[keyof typeof PlanState]
export const planStateLabels: Record<PlanState, string> = {
  1: '待批准',
  2: '已应用',
  3: '已拒绝',
  4: '已撤销',
  5: '已过期',
}
export const planLifeDays = 30
/** Who speaks: told by the caller, so no proof of anything. Left out: 'command line' with a key, else 'console'. */
export const planOrigins = ['console', 'command line', 'assistant'] as const
export type PlanOrigin = (typeof planOrigins)[number]

export const plan = z.object({
  id: z.int(),
  title: z.string(),
  /** Why, in the words of whoever proposed it: text of a stranger, shown as it is. */
  reason: z.string(),
  state: z.int(),
  /** Who proposed it: a user, and the name of the key that he used ('' when none). */
  createdBy: z.string(),
  keyName: z.string(),
  /** 'console', 'command line', 'assistant'. */
  origin: z.string(),
  creates: z.int(),
  updates: z.int(),
  deletes: z.int(),
  /** Seconds. */
  createdTime: z.number(),
  decidedBy: z.string(),
  decidedTime: z.number(),
  /** Why it was refused, in the words of whoever did. */
  decision: z.string(),
  rev: z.int(),
})
export type Plan = z.output<typeof plan>

export const exportConfig = query('/api/v1/system/config/export', '导出配置', {
  body: z.object({ kinds: z.array(z.enum(configKinds)).optional(), names: z.array(text(64, 1)).max(1_000).optional() }),
  data: z.object({ list: z.array(configObject) }),
})

/** Of the JSON that carries the objects. */
const bodyBytes = maxPlanBytes + 64 * 1024
const origin = z.enum(planOrigins).optional()
/** `prune`: what stands here and is not named is deleted, of the kinds that are named at least once. */
const wanted = { objects, prune: z.boolean().default(false) }
/** What would change; nothing is stored. */
export const previewConfig = query('/api/v1/system/config/plan', '比较配置', {
  bodyBytes,
  body: z.object(wanted),
  data: z.object({ changes: z.array(configChange) }),
})
/** All or nothing, with the caller's own rights to each act. The answer is also kept as an applied plan, to be undone. */
export const applyConfig = modify('/api/v1/system/config/apply', '应用配置', {
  bodyBytes,
  body: z.object({ ...wanted, title: text(128).default(''), origin }),
  data: z.object({ id: z.int(), changes: z.array(configChange) }),
})

export const createPlan = add('/api/v1/system/plan/create', '提出配置计划', {
  bodyBytes,
  body: z.object({
    ...wanted,
    /** Deleted by name, beside what is wanted. */
    remove: z
      .array(z.object({ kind: z.enum(configKinds), name: text(64, 1) }))
      .max(maxPlanObjects)
      .default([]),
    title: text(128, 1),
    reason: text(2_000).default(''),
    origin,
  }),
  data: z.object({ id: z.int(), changes: z.array(configChange) }),
})
export const planSortFields = ['createdTime', 'title', 'state'] as const
export const listPlans = query('/api/v1/system/plan/index', '配置计划列表', {
  body: z.object({ title: filterText(128), state: optionalEnum(PlanState), page: pageInput }),
  data: pageOf(plan),
})
export const readPlan = query('/api/v1/system/plan/read', '查看配置计划', {
  body: z.object({ id: id() }),
  data: plan.extend({ changes: z.array(configChange) }),
})
/** By a person who has the right to each act in it; refused (900001) when an object was changed meanwhile. */
export const approvePlan = modify('/api/v1/system/plan/approve', '批准配置计划', {
  body: z.object({ id: id() }),
  personal: true,
})
export const refusePlan = modify('/api/v1/system/plan/refuse', '拒绝配置计划', {
  body: z.object({ id: id(), reason: text(500).default('') }),
  personal: true,
})
/** Puts back what stood before, all or nothing; refused (900001) when an object was changed since. */
export const undoPlan = modify('/api/v1/system/plan/undo', '撤销配置计划', {
  body: z.object({ id: id() }),
  personal: true,
})
