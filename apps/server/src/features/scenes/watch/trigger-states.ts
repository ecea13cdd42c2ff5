/**
 * What triggers remember about devices, in memory: states that last, counts, distances. Only triggers with a memory have
 * them, and only while there is something to remember.
 */
import type { DeviceRef } from '#ports/event-bus.ts'
import type { TriggerState } from '../engine/engine-types.ts'
import { emptyState } from '../engine/judge.ts'
import type { Entry } from './trigger-bucket.ts'

/** About 760 bytes each, 150 MB when full (scaling.md "算一算"). */
const mostStates = 200_000

export interface Held {
  key: number
  /** Of the scene. */
  rev: number
  device: DeviceRef
  state: TriggerState
  /** Its row in scene_hold says the same. */
  stored: boolean
  /** When the timer asks; 0: it does not. */
  dueAt: number
  /** The message that made it true. */
  traceID: string
}

export interface TriggerStates {
  of(deviceID: number): ReadonlyMap<number, Held> | undefined
  /** undefined: there is no room. */
  take(entry: Entry, device: DeviceRef): Held | undefined
  /** Forgets it unless there is something left to remember. */
  settle(held: Held, entry: Entry | undefined, now: number): void
  drop(held: Held): void
  /** States of a scene that was edited or is gone. */
  dropWhere(isGone: (held: Held) => boolean): void
  /** What is over by now. */
  sweep(entryOf: (key: number) => Entry | undefined, now: number): void
  readonly size: number
}

/** Nothing that happened changes an answer any more. */
function isIdle({ state }: Held, entry: Entry, now: number): boolean {
  if (state.since !== undefined || state.deciding) return false
  const { windowMs, minIntervalMs } = entry.trigger
  const lastHit = state.hits.at(-1) ?? Number.NEGATIVE_INFINITY
  return state.lastFired + minIntervalMs <= now && lastHit + windowMs <= now
}

export function makeTriggerStates(): TriggerStates {
  const devices = new Map<number, Map<number, Held>>()
  let size = 0

  const drop = ({ key, device }: Held) => {
    const own = devices.get(device.deviceID)
    if (own?.delete(key)) size--
    if (own?.size === 0) devices.delete(device.deviceID)
  }

  return {
    of: (deviceID) => devices.get(deviceID),
    take({ key, scene }, device) {
      const own = devices.get(device.deviceID)
      const known = own?.get(key)
      if (known?.rev === scene.rev) return known
      if (size >= mostStates) return undefined
      const held: Held = { key, rev: scene.rev, device, state: emptyState(), stored: false, dueAt: 0, traceID: '' }
      if (own) own.set(key, held)
      else devices.set(device.deviceID, new Map([[key, held]]))
      if (!known) size++
      return held
    },
    settle(held, entry, now) {
      if (!entry || isIdle(held, entry, now)) drop(held)
    },
    drop,
    dropWhere(isGone) {
      for (const own of [...devices.values()]) for (const held of [...own.values()]) if (isGone(held)) drop(held)
    },
    sweep(entryOf, now) {
      for (const own of [...devices.values()]) {
        for (const held of [...own.values()]) {
          const entry = entryOf(held.key)
          if (!entry || isIdle(held, entry, now)) drop(held)
        }
      }
    },
    get size() {
      return size
    },
  }
}
