/** The platform asks a device for its values now (device-protocol.md 5 getReport); they are stored like a report. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField } from '@ithings/contract/errors.ts'
import type { getPropertyReply as endpoint } from '@ithings/contract/features/commands.ts'
import type { CommandsDeps } from './commands-deps.ts'
import { awaitReply, dispatchCommand, type Order, recordRefusal, toCommandReply } from './dispatch-command.ts'
import { findTarget, whyUnreachable } from './find-target.ts'
import { productOf, senderOf } from './send-property.ts'

export async function getProperty(deps: CommandsDeps, input: BodyOutput<typeof endpoint>, userName: string) {
  const target = await findTarget(deps.db, input)
  const product = await productOf(deps, target)
  const identifiers = input.dataIDs ?? []
  const unknown = identifiers.filter((identifier) => !product.properties.has(identifier))
  if (unknown.length > 0) throw badField('dataIDs', '查不到物模型:属性 {identifiers}', { identifiers: unknown })
  const order: Order = {
    target,
    product,
    kind: 'get',
    type: 'property',
    method: 'getReport',
    // Absent means all.
    body: identifiers.length > 0 ? { identifiers } : {},
    payload: identifiers,
    params: {},
    actionID: '',
    by: senderOf({ userName }),
  }
  const unreachable = whyUnreachable(deps, target)
  if (unreachable) {
    await recordRefusal(deps, order, unreachable)
    throw unreachable
  }
  const sent = await dispatchCommand(deps, order)
  const reply = await awaitReply(deps, sent)
  return {
    ...toCommandReply(sent.token, reply),
    timestamp: deps.clock.now(),
    params: JSON.stringify(reply.data ?? {}),
  }
}
