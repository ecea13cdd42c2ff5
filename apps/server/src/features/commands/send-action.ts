import type { BodyOutput, DataOf } from '@ithings/contract/endpoint.ts'
import type { sendAction as endpoint } from '@ithings/contract/features/commands.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import type { CommandsDeps } from './commands-deps.ts'
import {
  awaitReply,
  dispatchCommand,
  type Order,
  recordRefusal,
  toCommandReply,
  unanswered,
} from './dispatch-command.ts'
import { findTarget, whyUnreachable } from './find-target.ts'
import { actionInputs, readObject, type Values } from './read-order.ts'
import { productOf, type SendOptions, senderOf } from './send-property.ts'

type ActionAnswer = DataOf<typeof endpoint>

/** Outputs travel as the text of an object, an empty one when there are none: existing consoles list its keys. */
export const outputText = (data: unknown): string => JSON.stringify(data ?? {})

/** For the routes, scenes and tasks alike. */
export async function sendActionTo(
  deps: CommandsDeps,
  key: DeviceKey,
  call: { actionID: string; inputs: Values },
  options: Omit<SendOptions, 'shadowControl'> = {},
): Promise<ActionAnswer> {
  const { actionID } = call
  const target = await findTarget(deps.db, key)
  const product = await productOf(deps, target)
  const params = actionInputs(product, actionID, call.inputs)
  const order: Order = {
    target,
    product,
    kind: 'action',
    type: 'action',
    method: 'action',
    body: { actionID, params },
    payload: params,
    params,
    actionID,
    by: senderOf(options),
    token: options.clientToken,
  }
  const unreachable = whyUnreachable(deps, target)
  if (unreachable) {
    await recordRefusal(deps, order, unreachable)
    throw unreachable
  }
  const sent = await dispatchCommand(deps, order)
  if (options.isAsync) return { ...unanswered(sent.token), outputParams: outputText(null) }
  const reply = await awaitReply(deps, sent)
  return { ...toCommandReply(sent.token, reply), outputParams: outputText(reply.data) }
}

export const sendAction = (deps: CommandsDeps, input: BodyOutput<typeof endpoint>, userName: string) => {
  const { actionID, isAsync } = input
  const inputs = readObject(input.inputParams, 'inputParams')
  return sendActionTo(deps, input, { actionID, inputs }, { isAsync, userName })
}
