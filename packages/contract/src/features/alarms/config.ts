/** Alarm configurations and the scenes that raise and clear them (http-api.md 6, rules.md 5). */
import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { pageInput, pageOf } from '../../paging.ts'
import { filterText, id, int, oneOf, optionalEnum, text } from '../../wire.ts'

const { query, add, modify, remove } = endpointsOf('告警配置')
/** rules.md 5: 5 is the worst. */
export const AlarmLevel = { remind: 1, normal: 2, serious: 3, urgent: 4, critical: 5 } as const
export type AlarmLevel = (typeof AlarmLevel)[keyof typeof AlarmLevel]
export const alarmLevelLabels: Record<AlarmLevel, string> = {
  1: '提醒',
  2: '一般',
  3: '严重',
  4: '紧急',
  5: '超紧急',
}
/** Worst first, as every list of levels shows them. */
export const alarmLevels: readonly AlarmLevel[] = [5, 4, 3, 2, 1]

export const AlarmStatus = { enabled: 1, disabled: 2 } as const
export type AlarmStatus = (typeof AlarmStatus)[keyof typeof AlarmStatus]

const status = optionalEnum(AlarmStatus)

const notifyShape = {
  channelIDs: z.array(id()).max(20).default([]),
  /** Minutes between two notices about one open record, raised again or not; 0: only the first. */
  renotifyMinutes: int(0, 10_080).default(0),
  /** A trigger within so many seconds after the record was cleared re-opens it; told is only what is open after them. */
  flapSeconds: int(0, 86_400).default(0),
  /** Minutes in which somebody should have handled it; 0: no limit. */
  slaMinutes: int(0, 43_200).default(0),
  /** Tell when it is cleared, too. */
  notifyCleared: z.boolean().default(false),
  /** '' uses the built-in texts (notifyVariables are filled in). */
  title: text(200).default(''),
  content: text(4_000).default(''),
}

export const alarmBody = z.object({
  name: text(64, 1),
  level: oneOf(AlarmLevel),
  desc: text(200).nullish(),
  status,
  /** Existing consoles say `state` (decisions.md 2 "Alarm config state"). */
  state: status,
  notify: z.object(notifyShape).optional(),
})
/** What is left out stays: existing consoles send the fields of their form. */
export const updateAlarmBody = z.object({
  id: id(),
  name: text(64, 1).optional(),
  level: optionalEnum(AlarmLevel),
  desc: text(200).nullish(),
  status,
  state: status,
  notify: z.object(notifyShape).optional(),
  rev: int(0).optional(),
})

export const alarmInfo = z.object({
  id: z.int(),
  name: z.string(),
  status: z.int(),
  state: z.int(),
  desc: z.string(),
  level: z.int(),
  /** Milliseconds (decisions.md 2 "Alarm times"). */
  createdTime: z.number(),
  /** Ours from here on. */
  rev: z.int(),
  notify: z.object(notifyShape),
  /** Linked scenes, and those of them with an action that raises. */
  sceneCount: z.int(),
  raisingCount: z.int(),
  /** Records that are open. */
  openCount: z.int(),
})
export type AlarmInfo = z.output<typeof alarmInfo>

export const createAlarm = add('/api/v1/things/rule/alarm/info/create', '新增告警', {
  body: alarmBody,
  data: z.object({ id: z.int() }),
})
export const updateAlarm = modify('/api/v1/things/rule/alarm/info/update', '修改告警', { body: updateAlarmBody })
const alarmKey = z.object({ id: id() })
/** Its records, logs and links go with it. */
export const deleteAlarm = remove('/api/v1/things/rule/alarm/info/delete', '删除告警', { body: alarmKey })
export const readAlarm = query('/api/v1/things/rule/alarm/info/read', '告警详情', { body: alarmKey, data: alarmInfo })
export const alarmSortFields = ['name', 'level', 'status', 'createdTime', 'openCount'] as const
export const listAlarms = query('/api/v1/things/rule/alarm/info/index', '告警列表', {
  body: z.object({
    name: filterText(64),
    sceneID: z.union([z.literal('').transform(() => undefined), int(0)]).optional(),
    alarmIDs: z.array(id()).max(10_000).nullish(),
    /** Ours. */
    levels: z.array(oneOf(AlarmLevel)).max(5).optional(),
    status,
    state: status,
    page: pageInput,
  }),
  data: pageOf(alarmInfo).extend({ num: z.int() }),
})

/** Replaces the set. */
export const linkScenes = modify('/api/v1/things/rule/alarm/scene/multi-update', '关联场景', {
  body: z.object({ alarmID: id(), sceneIDs: z.array(id()).max(1_000) }),
})
/** Ours: adds to the set, so that two editors do not undo each other. */
export const addScenes = add('/api/v1/things/rule/alarm/scene/multi-create', '增加关联场景', {
  body: z.object({ alarmID: id(), sceneIDs: z.array(id()).min(1).max(1_000) }),
})
export const unlinkScene = remove('/api/v1/things/rule/alarm/scene/delete', '解除关联场景', {
  body: z.object({ alarmID: id(), sceneID: id() }),
})
