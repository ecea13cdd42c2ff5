/** A message on its way through the corridor: what the steps share, how one follows the other, and in which order. */
import type { UplinkPacket } from '#ports/broker.ts'
import type { JournalEntry } from '#ports/journal.ts'
import type { CorridorDeps } from './corridor-deps.ts'
import type { Repeats } from './repeats.ts'
import type { Identified, Outcome, Uplink } from './uplink-message.ts'

/** A row of the journal that a message makes; a packed message makes several. */
export interface HandedEntry {
  up: Uplink
  entry: JournalEntry
  /** 0: it adds nothing that could be repeated. */
  print: number
  stored: boolean
  /** Why it is not. */
  failure?: unknown
  /** Its values without those that were older than what is known: they neither change nor confirm anything. */
  news?: Record<string, unknown> | undefined
}

/** Every step adds what it found out, so that a refusal can say as much as is known by then. */
export interface Passage {
  readonly packet: UplinkPacket
  /** By performance.now(). */
  readonly started: number
  known: Identified | undefined
  up: Uplink | undefined
  outcome: Outcome | undefined
  entries: HandedEntry[]
  /** Settles with the commit. */
  stored: Promise<unknown> | undefined
  /** What the device is told. */
  code: number
  msg: string
}

/**
 * One message of a device at a time through the steps before storing, many devices side by side: "latest value" and
 * rules need arrival order. Work that needs no waiting runs at once; only what awaits makes others queue.
 */
export class DeviceOrder {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Devices with a message that waits. */
  get busy(): number {
    return this.#tails.size
  }

  run<T>(device: string, work: () => T | Promise<T>): T | Promise<T> {
    const before = this.#tails.get(device)
    if (before !== undefined) return this.#follow(device, before.then(work))
    const result = work()
    return result instanceof Promise ? this.#follow(device, result) : result
  }

  #follow<T>(device: string, promise: Promise<T>): Promise<T> {
    const tail = promise
      .catch(() => undefined)
      .then(() => {
        if (this.#tails.get(device) === tail) this.#tails.delete(device)
      })
    this.#tails.set(device, tail)
    return promise
  }
}

/** Devices that are remembered before those whose time has passed are forgotten. */
const many = 10_000

/**
 * The time that the platform gives to a message: when it was received, or the next free millisecond of its device. Values
 * without a time of their own are kept under it, and two under one time would be one (decisions.md 5).
 */
export class GivenTimes {
  readonly #last = new Map<number, number>()
  #room = many

  /** In the order of arrival; no two of a device are the same. */
  next(deviceID: number, receivedAt: number): number {
    const before = this.#last.get(deviceID)
    const time = before !== undefined && before >= receivedAt ? before + 1 : receivedAt
    this.#last.set(deviceID, time)
    if (this.#last.size > this.#room) this.#forgetPast(receivedAt)
    return time
  }

  /** A time that has passed can be given to nobody any more. */
  #forgetPast(now: number): void {
    for (const [deviceID, time] of this.#last) if (time < now) this.#last.delete(deviceID)
    this.#room = Math.max(many, this.#last.size * 2)
  }
}

/** The outside, and what the corridor itself remembers between messages. */
export interface CorridorContext extends CorridorDeps {
  order: DeviceOrder
  times: GivenTimes
  repeats: Repeats
  /** Questions to the database about messages from before the memory of repeats. */
  lookBacks: { running: number; waiting: Array<() => void> }
}

/** Gives a promise only if something has to be waited for. */
export type Step = (passage: Passage, corridor: CorridorContext) => Promise<unknown> | undefined

/** For steps that come after `decode`. */
export function upOf({ up }: Passage): Uplink {
  if (!up) throw new Error('a step was taken before the message was decoded')
  return up
}

// Nearly every message needs no waiting, and a promise for each step would cost more than the steps themselves. Only these
// two functions know both ways.

/** Hands a result on at once, or when it is there. */
export function keep<T>(result: T | Promise<T>, put: (value: T) => void): Promise<unknown> | undefined {
  if (result instanceof Promise) return result.then(put)
  put(result)
  return undefined
}

/** Takes the steps one after the other. */
export function takeSteps(
  steps: readonly Step[],
  passage: Passage,
  corridor: CorridorContext,
  from = 0,
): Promise<unknown> | undefined {
  for (let at = from; at < steps.length; at++) {
    const waits = steps[at]?.(passage, corridor)
    if (waits) return waits.then(() => takeSteps(steps, passage, corridor, at + 1))
  }
  return undefined
}
