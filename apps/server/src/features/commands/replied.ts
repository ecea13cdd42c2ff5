/** A device has answered and the answer is stored: the history of commands learns of it. */
import { type Answer, completeCommand } from './command-store.ts'
import type { CommandsKit } from './commands-kit.ts'
import { isObject } from './read-order.ts'
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
export function replied(kit: CommandsKit, deviceID: number, reply: Answer & { token: string }): void {
  const { token } = reply
  const recorded = record(kit, deviceID, token, reply)
    .catch((error: unknown) => kit.log.error({ err: error, token }, 'the reply to a command could not be recorded'))
    .finally(() => kit.recording.delete(token))
  kit.recording.set(token, recorded)
}
