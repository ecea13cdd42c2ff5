/**
 * What a message is compared with, so that a repeated delivery adds nothing (decisions.md 4.2). Redeliveries from before
 * the memory of repeats are found too: messages with a device time are the same however much later they come. Nothing is
 * asked for a message that is newer than what is known of its device.
 */
import { type CorridorContext, type Step, upOf } from './passage.ts'
import { fingerprint, rememberMs } from './repeats.ts'
import type { Outcome, PackedPart, Uplink } from './uplink-message.ts'

/**
 * Devices that bring much of the past at once must not take the database from the others. At most one a device waits:
 * its next messages wait for the one under way.
 */
const atOnce = 4

async function inTurn({ lookBacks }: CorridorContext, work: () => Promise<unknown>): Promise<void> {
  const { waiting } = lookBacks
  if (lookBacks.running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else lookBacks.running += 1
  try {
    await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else lookBacks.running -= 1
  }
}

/** Newest values are what a late message is measured by; undefined: they are known, or it is not late. */
function recallValues(up: Uplink, corridor: CorridorContext): Promise<void> | undefined {
  const { device, deviceTime, packet } = up
  if (deviceTime === 0) return undefined
  if (!packet.dup && packet.receivedAt - deviceTime <= rememberMs) return undefined
  if (corridor.latest.peek(device.deviceID) !== undefined) return undefined
  return inTurn(corridor, () => corridor.latest.read(device.deviceID))
}

function recallFor(up: Uplink, corridor: CorridorContext): Promise<unknown> | undefined {
  const messages = corridor.repeats.recall(up.device.deviceID, up.packet.session)
  const values = recallValues(up, corridor)
  return messages && values ? Promise.all([messages, values]) : (messages ?? values)
}

/** Before the handler: what the device said lately and its newest values, if they have to be read first. */
export const recall: Step = (passage, corridor) => recallFor(upOf(passage), corridor)

const isSuspect = (up: Uplink, { event, dataID = '', content }: Outcome, { repeats }: CorridorContext): boolean =>
  event === true &&
  repeats.mayBeOld(up) &&
  !repeats.remembers(up, fingerprint(up.token, up.deviceTime, dataID, content))

async function mark(suspects: PackedPart[], { doors }: CorridorContext): Promise<void> {
  for (const { up, outcome } of suspects) {
    const { device, deviceTime, token } = up
    const event = { time: deviceTime, eventID: outcome.dataID ?? '', token }
    if (await doors.knowsEvent(device.deviceID, event)) outcome.repeated = true
  }
}

function findAmong(parts: PackedPart[], corridor: CorridorContext): Promise<void> | undefined {
  const suspects = parts.filter(({ up, outcome }) => isSuspect(up, outcome, corridor))
  return suspects.length > 0 ? inTurn(corridor, () => mark(suspects, corridor)) : undefined
}

/** What a packed message brings for children is compared with what they said themselves. */
function findInParts(parts: PackedPart[], corridor: CorridorContext): Promise<unknown> | undefined {
  const asked = parts.map(({ up }) => recallFor(up, corridor))
  const find = () => findAmong(parts, corridor)
  return asked.some((one) => one !== undefined) ? Promise.all(asked).then(find) : find()
}

/** After the handler: marks the events that were stored before. */
export const findOldEvents: Step = (passage, corridor) => {
  const { outcome } = passage
  if (!outcome) return undefined
  if (outcome.parts) return findInParts(outcome.parts, corridor)
  const up = upOf(passage)
  if (!isSuspect(up, outcome, corridor)) return undefined
  return inTurn(corridor, () => mark([{ up, outcome }], corridor))
}
