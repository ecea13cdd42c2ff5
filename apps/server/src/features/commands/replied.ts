/**
 * A device has answered and the answer is stored: the history of commands learns of it. With several servers the one
 * that the device is connected to hears the answer, and the one that sent the command waits for it.
 */

import { isRecord } from '@ithings/contract/is-record.ts'
import type { PendingRequest, RequestKind } from '#downlink/pending-replies.ts'
import { keepMs } from '#downlink/pending-replies.ts'
import { type Answer, completeCommand, findUnanswered, readAnswer } from './command-store.ts'
import type { CommandsDeps } from './commands-deps.ts'
import { handWritten, readMessage } from './send-message.ts'
import { dropOvertaken } from './shadow.ts'

async function record(deps: CommandsDeps, deviceID: number, token: string, answer: Answer): Promise<void> {
  const done = await completeCommand(deps.db, deviceID, token, answer, deps.clock.now())
  if (!done) return
  const { productID, deviceName, kind, payload, sentAt } = done
  const device = { productID, deviceName, deviceID }
  if (kind === 'property' && answer.code === 200 && isRecord(payload)) {
    if (await dropOvertaken(deps.db, deviceID, payload, sentAt)) deps.bus.emit('shadow.changed', { device })
  }
  deps.bus.emit('command.done', { device, clientToken: token, code: answer.code })
}

/** Called by the corridor, which does not wait for it; the caller of the command does. */
export function replied(
  deps: CommandsDeps,
  deviceID: number,
  reply: Answer & { token: string },
  elsewhere: boolean,
): void {
  const { token } = reply
  const recorded = record(deps, deviceID, token, reply)
    .then(() => (elsewhere ? deps.signal.send('command.answered', { deviceID, token }) : undefined))
    .catch((error: unknown) => deps.log.error({ err: error, token }, 'the reply to a command could not be recorded'))
    .finally(() => deps.recording.delete(token))
  deps.recording.set(token, recorded)
}

/** What another server asked this device, as its history says; undefined when nobody did, or it is answered already. */
export async function findRequest(
  deps: CommandsDeps,
  deviceID: number,
  token: string,
  kind: RequestKind,
): Promise<PendingRequest | undefined> {
  const row = await findUnanswered(deps.db, deviceID, token, kind, deps.clock.now() - keepMs)
  if (!row) return undefined
  if (row.kind === 'msg') {
    const product = await deps.products.get(row.product_id)
    const asked = product && handWritten(product, readMessage(String(row.payload)))
    return asked?.kind === kind ? { deviceID, token, ...asked, sentAt: row.sent_at } : undefined
  }
  const params = kind !== 'get' && isRecord(row.payload) ? row.payload : {}
  return { deviceID, token, kind, params, target: row.data_id, sentAt: row.sent_at }
}

/** Answers that came to other servers reach whoever waits here. */
export function hearAnswers(deps: CommandsDeps): void {
  const hear = async (deviceID: number, token: string) => {
    if (!deps.pending.isOpen(deviceID, token)) return
    const reply = await readAnswer(deps.db, deviceID, token)
    if (!reply) return
    if (reply === 'msg') return deps.pending.drop(deviceID, token)
    deps.pending.settle(deviceID, reply)
    deps.pending.confirm(deviceID, token)
  }
  deps.signal.on('command.answered', ({ deviceID, token }) => {
    hear(deviceID, token).catch((error) => deps.log.error({ err: error, token }, 'an answer could not be read'))
  })
}
