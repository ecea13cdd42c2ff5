/**
 * A device has answered and the answer is stored: the history of commands learns of it. With several servers the one
 * that the device is connected to hears the answer, and the one that sent the command waits for it.
 */

import type { PendingRequest, RequestKind } from '#downlink/pending-replies.ts'
import { keepMs } from '#downlink/pending-replies.ts'
import { type Answer, completeCommand, findUnanswered, readAnswer } from './command-store.ts'
import type { CommandsKit } from './commands-kit.ts'
import { isObject } from './read-order.ts'
import { handWritten, readMessage } from './send-message.ts'
import { dropOvertaken } from './shadow.ts'

async function record(kit: CommandsKit, deviceID: number, token: string, answer: Answer): Promise<void> {
  const done = await completeCommand(kit.db, deviceID, token, answer, kit.clock.now())
  if (!done) return
  const { productID, deviceName, kind, payload, sentAt } = done
  const device = { productID, deviceName, deviceID }
  if (kind === 'property' && answer.code === 200 && isObject(payload)) {
    if (await dropOvertaken(kit.db, deviceID, payload, sentAt)) kit.bus.emit('shadow.changed', { device })
  }
  kit.bus.emit('command.done', { device, clientToken: token, code: answer.code })
}

/** Called by the corridor, which does not wait for it; the caller of the command does. */
export function replied(
  kit: CommandsKit,
  deviceID: number,
  reply: Answer & { token: string },
  elsewhere: boolean,
): void {
  const { token } = reply
  const recorded = record(kit, deviceID, token, reply)
    .then(() => (elsewhere ? kit.signal.send('command.answered', { deviceID, token }) : undefined))
    .catch((error: unknown) => kit.log.error({ err: error, token }, 'the reply to a command could not be recorded'))
    .finally(() => kit.recording.delete(token))
  kit.recording.set(token, recorded)
}

/** What another server asked this device, as its history says; undefined when nobody did, or it is answered already. */
export async function findRequest(
  kit: CommandsKit,
  deviceID: number,
  token: string,
  kind: RequestKind,
): Promise<PendingRequest | undefined> {
  const row = await findUnanswered(kit.db, deviceID, token, kind, kit.clock.now() - keepMs)
  if (!row) return undefined
  if (row.kind === 'msg') {
    const product = await kit.products.get(row.product_id)
    const asked = product && handWritten(product, readMessage(String(row.payload)))
    return asked?.kind === kind ? { deviceID, token, ...asked, sentAt: row.sent_at } : undefined
  }
  const params = kind !== 'get' && isObject(row.payload) ? row.payload : {}
  return { deviceID, token, kind, params, target: row.data_id, sentAt: row.sent_at }
}

/** Answers that came to other servers reach whoever waits here. */
export function hearAnswers(kit: CommandsKit): void {
  const hear = async (deviceID: number, token: string) => {
    if (!kit.pending.isOpen(deviceID, token)) return
    const reply = await readAnswer(kit.db, deviceID, token)
    if (!reply) return
    if (reply === 'msg') return kit.pending.drop(deviceID, token)
    kit.pending.settle(deviceID, reply)
    kit.pending.confirm(deviceID, token)
  }
  kit.signal.on('command.answered', ({ deviceID, token }) => {
    hear(deviceID, token).catch((error) => kit.log.error({ err: error, token }, 'an answer could not be read'))
  })
}
