/**
 * States that last while the device says nothing (away for so long, silent) and whose conditions did not hold when they
 * were due: "no data for ten minutes, and between 8 and 18" of a device that died at night is asked about again with
 * each minute. Every server does so, whoever noticed the state: one of them fires (scene_hold).
 */
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import { asksAgain, nextMinute } from '../engine/judge.ts'
import { rowsAtOnce } from './batched-changes.ts'
import type { HoldRow, HoldStore } from './hold-store.ts'
import type { SceneIndex } from './scene-index.ts'
import type { Entry } from './trigger-bucket.ts'
import type { TriggerStates } from './trigger-states.ts'

export interface AskAgainDeps {
  clock: Clock
  index: SceneIndex
  states: TriggerStates
  store: HoldStore
  silence: { askAgain(isOpen: (entry: Entry, device: DeviceRef) => boolean): void }
  judge: { askAgain(row: HoldRow): void }
  /** Resolves when there is room for more questions. */
  room(): Promise<void>
}

/** @returns to be called every now and then: does something once in a minute */
export function makeAskAgain({ clock, index, states, store, silence, judge, room }: AskAgainDeps): () => Promise<void> {
  let next = nextMinute(clock.now())

  const isOpen = ({ key }: Entry, { deviceID }: DeviceRef): boolean => {
    const state = states.of(deviceID)?.get(key)?.state
    return state?.asked === true && !state.fired && !state.deciding
  }

  return async () => {
    const now = clock.now()
    if (now < next) return
    next = nextMinute(now)
    silence.askAgain(isOpen)
    const scenes = new Set<number>()
    for (const { trigger, scene } of index.entries()) {
      const isHeld = trigger.keepMs > 0 && asksAgain(trigger)
      if (isHeld && scene.conditions.length > 0) scenes.add(scene.sceneID)
    }
    if (scenes.size === 0) return
    for (let last: HoldRow | undefined; ; ) {
      const rows = await store.parkedOf([...scenes], last)
      for (const row of rows) judge.askAgain(row)
      await room()
      last = rows.at(-1)
      if (rows.length < rowsAtOnce) return
    }
  }
}
