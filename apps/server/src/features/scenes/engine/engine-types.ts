/**
 * What the pure engine of scenes works with. The same code judges live messages, the dry run and the backtest, so that
 * the three cannot disagree: what fires live fires in the backtest too.
 */
import type { CheckedCondition } from '@ithings/contract/features/scenes/log.ts'
import type { TriggerOperator } from '@ithings/contract/rules/device-trigger.ts'
import type { TriggerType } from '@ithings/contract/rules/scene-limits.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import type { CachedProduct } from '#features/products/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'

/** Synchronous: callers load what `productsOf` names beforehand. */
export interface ModelLookup {
  product(productID: string): CachedProduct | undefined
}

/** Something that happened to a device, in the order of its arrival. `at`: device time of messages, ms. */
export type Fact = { device: DeviceRef; at: number; traceID: string } & (
  | { kind: 'values'; values: Record<string, unknown> }
  | { kind: 'event'; eventID: string; params: Record<string, unknown> }
  | { kind: 'presence'; online: boolean }
  /** Nothing was heard since `since`. */
  | { kind: 'silence'; since: number; dataID: string }
)

export interface CompiledTrigger {
  /** Index in the scene. */
  no: number
  productID: string
  selector: 'all' | 'fixed' | 'group'
  /** fixed: names of devices. */
  names: ReadonlySet<string>
  /** group: with the groups below it. */
  groupID: number
  operator: TriggerOperator
  /** Property or event; '' for presence and for "any property". */
  dataID: string
  /** Member of a struct or parameter of an event; ''. */
  member: string
  /** undefined: every report counts. */
  test: ((seen: unknown) => boolean) | undefined
  /** What a number is compared with, for charts and alarms. */
  threshold: string[]
  /** The state must last so long; 0: at once. */
  keepMs: number
  /** So many matches within the window; 1: at once. */
  times: number
  windowMs: number
  /** noReport. */
  silenceMs: number
  once: boolean
  minIntervalMs: number
  /** For logs: "水泵温度 > 80 ℃ 持续 30 秒". */
  text: string
  /** How a value is shown: unit, label of an enumeration. */
  show(value: unknown): string
}

/** Where a condition looks; deviceName '' is the device that started the scene. */
export interface ConditionSource {
  productID: string
  deviceName: string
  property: string
}

export type CompiledCondition = {
  /** Relation to the next one. */
  net: 'and' | 'or'
  children: { join: 'and' | 'or'; terms: CompiledCondition[] } | undefined
} & (
  | {
      kind: 'property'
      source: ConditionSource
      member: string
      test(seen: unknown): boolean
      text: string
      show(value: unknown): string
    }
  | { kind: 'time'; test(at: number): boolean; text: string }
  /** Only its members count; the text says how. */
  | { kind: 'group'; text: string }
  /** Refers to something that is gone, or that cannot be judged: never true, and says why. */
  | { kind: 'never'; text: string }
)

export interface CompiledScene {
  sceneID: number
  name: string
  rev: number
  triggerType: TriggerType
  triggers: CompiledTrigger[]
  conditions: CompiledCondition[]
  actions: SceneAction[]
  /** Properties that conditions ask for, each once. */
  needs: ConditionSource[]
  /** What is gone or does not fit: for people. A trigger with a problem is left out of `triggers`. */
  problems: string[]
  /** Those of triggers. */
  goneTriggers: string[]
}

/** Debounce of one trigger and one device. */
export interface TriggerState {
  /** True since; undefined: false. */
  since: number | undefined
  /** Fired for this truth already. */
  fired: boolean
  /** The timer of this truth has asked already; after it only reports do, or the next minute. */
  asked: boolean
  /** The value of the last match. */
  seen: unknown
  lastFired: number
  /** Times of matches within the window. */
  hits: number[]
  /** Conditions are being looked up; what comes meanwhile does not ask again. */
  deciding: boolean
}

/** What a trigger says to a fact. */
export type Verdict =
  /** Not its business. */
  | { kind: 'none' }
  /** It was asked and said no; `reason` only when the trigger itself matches or did until now (a near miss). */
  | { kind: 'no'; reason?: string }
  /** True, but not long enough yet: look again then. */
  | { kind: 'hold'; since: number; dueAt: number }
  | { kind: 'fire'; value: unknown; at: number }

/** A scene that fires: what runs it is told this, once for each `cause`. */
export interface SceneFiring {
  sceneID: number
  /** Unique in the scene: the same message or moment fires it once. */
  cause: string
  device: DeviceRef | undefined
  triggerText: string
  seen: { dataID?: string; value?: string; threshold?: string[] }
  conditions: CheckedCondition[]
  traceID: string
  /** ms: when the trigger was stored or due. */
  firedAt: number
  /** Scenes that led here. */
  depth: number
  userName: string
}

export interface SceneRunner {
  /** Bounded; what is over the limit is counted, logged as a miss and dropped. Never throws. */
  fire(firing: SceneFiring): void
  /** The oldest firing that is not stored yet (its firedAt): after a crash everything since is judged again. */
  unstoredSince(): number | undefined
}
