import type { CheckedCondition, LoggedAction } from '@ithings/contract/features/scenes/log.ts'
import type { TriggerType } from '@ithings/contract/rules/scene-limits.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, JsonDefault } from '../json-column.ts'

export interface SceneTable {
  id: GeneratedAlways<number>
  name: string
  status: Generated<number>
  description: Generated<string>
  trigger_type: TriggerType
  trigger: string
  conditions: string
  actions: string
  next_run_at: number | null
  last_run_at: Generated<number>
  last_result: Generated<number>
  last_text: Generated<string>
  rev: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  updated_by: Generated<string>
}

export interface SceneReferenceTable {
  scene_id: number
  kind: 'property' | 'event' | 'action' | 'device' | 'group' | 'channel' | 'scene'
  product_id: Generated<string>
  target: Generated<string>
}

/** What raised a run, for alarms. */
export interface SeenCause {
  dataID?: string
  value?: string
  threshold?: string[]
}

export interface SceneRunTable {
  run_id: GeneratedAlways<number>
  scene_id: number
  cause: string
  result: number
  reason: Generated<string>
  trigger_type: TriggerType
  trigger_text: Generated<string>
  seen: JsonDefault<SeenCause>
  conditions: JsonDefault<CheckedCondition[]>
  actions: JsonDefault<LoggedAction[]>
  plan: Json<SceneAction[]>
  step: Generated<number>
  depth: Generated<number>
  device_id: Generated<number>
  product_id: Generated<string>
  device_name: Generated<string>
  trace_id: Generated<string>
  user_name: Generated<string>
  fired_at: number
  started_at: number
  finished_at: Generated<number>
  resume_at: number | null
  latency: Generated<number>
  server_id: Generated<string>
}

export interface SceneTallyTable {
  scene_id: number
  hour: number
  fired: Generated<number>
  failed: Generated<number>
}

export interface SceneMissTable {
  miss_id: GeneratedAlways<number>
  scene_id: number
  at: number
  reason: string
  trigger_text: Generated<string>
  conditions: JsonDefault<CheckedCondition[]>
  product_id: Generated<string>
  device_name: Generated<string>
  trace_id: Generated<string>
}

export interface SceneMemoryTable {
  device_id: number
  scene_id: number
  trigger_no: number
  rev: number
  last_fired: number
  /** bigint[], which the driver leaves as texts. */
  hits: string[]
}

export interface SceneHoldTable {
  scene_id: number
  trigger_no: number
  rev: number
  device_id: number
  since: number
  due_at: number
  fired_at: number | null
  seen: JsonDefault<{ value?: unknown; traceID?: string }>
}

export interface SceneCheckpointTable {
  node: number
  until_at: number
}
