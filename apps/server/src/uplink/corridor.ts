/**
 * THE CORRIDOR: every message of every device walks through here, one step after another
 * (architecture.md "Walk 7: a device message"). Nothing a device sends can stop it: refusals are answered with a
 * catalogue code and leave a line in the hub log; only a message that could not be stored is handed back as an error,
 * so that the device sends it again (decisions.md 4.1).
 */
import { successText } from '@ithings/contract/device/messages.ts'
import { ownerOf } from '@ithings/contract/device/topics.ts'
import type { UplinkPacket } from '#ports/broker.ts'
import { giveBack, remember, runAfter, tell } from './after-commit.ts'
import type { CorridorDeps } from './corridor-deps.ts'
import { decode } from './decode.ts'
import { handle } from './dispatch.ts'
import { identify } from './identify.ts'
import { findOldEvents, recall } from './look-back.ts'
import { type CorridorContext, DeviceOrder, GivenTimes, type Passage, type Step, takeSteps } from './passage.ts'
import { refuse } from './refuse.ts'
import { registerSelf } from './register-self.ts'
import { Repeats } from './repeats.ts'
import { answer } from './reply.ts'
import { handOver } from './store.ts'

export interface Corridor {
  /** Resolves when the message is stored and answered. */
  carry(packet: UplinkPacket): Promise<void>
  readonly devicesWaiting: number
}

/** Taken for one message of a device at a time, so that the journal gets its messages in their order. */
const stepsInOrder: readonly Step[] = [identify, decode, recall, handle, findOldEvents, handOver]

function enter(passage: Passage, corridor: CorridorContext): Promise<unknown> | undefined {
  const failed = (error: unknown) => refuse(passage, corridor, error)
  try {
    return takeSteps(stepsInOrder, passage, corridor)?.catch(failed)
  } catch (error) {
    failed(error)
    return undefined
  }
}

export async function carry(packet: UplinkPacket, corridor: CorridorContext): Promise<void> {
  if (packet.session.registering) return registerSelf(packet, corridor)
  const passage: Passage = {
    packet,
    started: performance.now(),
    known: undefined,
    up: undefined,
    outcome: undefined,
    entries: [],
    stored: undefined,
    code: 200,
    msg: successText,
  }
  try {
    await corridor.order.run(ownerOf(packet.topic), () => enter(passage, corridor))
    await passage.stored
  } catch (error) {
    giveBack(passage, corridor, error)
    throw error
  }
  // After the commit: memory first, then those who wait, then the device, then whoever listens.
  remember(passage, corridor)
  runAfter(passage)
  answer(passage, corridor)
  tell(passage, corridor)
}

export function makeCorridor(deps: CorridorDeps): Corridor {
  const corridor: CorridorContext = {
    ...deps,
    order: new DeviceOrder(),
    times: new GivenTimes(),
    repeats: new Repeats(deps),
    lookBacks: { running: 0, waiting: [] },
  }
  return {
    carry: (packet) => carry(packet, corridor),
    get devicesWaiting() {
      return corridor.order.busy
    },
  }
}
