/** `$thing/up/action`: answers to called actions, and actions that devices call (device-protocol.md 5). */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { phrase } from '@ithings/contract/text.ts'
import { ActionDirection } from '@ithings/contract/thing-model/model.ts'
import { jsonText } from '#db/json-text.ts'
import { coerceParams } from '#features/products/door.ts'
import { JournalKind } from '#ports/journal.ts'
import type { Handler } from '../corridor-deps.ts'
import { settleAnswer } from './device-reply.ts'

const actionReply: Handler = (up, deps) => {
  // Older and newer devices have it under different names (device-protocol.md 1).
  const data = up.message.response ?? up.message.data
  return settleAnswer(up, deps, 'action', data, ({ said, outcome }) => ({
    ...outcome,
    kind: JournalKind.action,
    content: jsonText(data ?? said),
  }))
}

/**
 * A device calls the platform: checked and kept for applications, which read it from the log and answer with send-msg;
 * the device is told that it arrived.
 */
const action: Handler = ({ message, product }) => {
  const actionID = typeof message.actionID === 'string' ? message.actionID : ''
  const known = product.actions.get(actionID)
  if (!known || known.action.dir !== ActionDirection.up) {
    throw new AppError(errors.parameter, {
      detail: phrase('查不到物模型:上行行为 {actionID}', { actionID: actionID || phrase('（缺少 actionID）') }),
    })
  }
  const given = message.params ?? {}
  if (!isRecord(given)) throw new AppError(errors.parameter, { detail: phrase('行为的 params 须为对象') })
  const params = coerceParams(known.input, given, '')
  return {
    kind: JournalKind.action,
    content: jsonText(params),
    dataID: actionID,
    reply: { method: 'actionReply', extra: { actionID, response: {}, data: {} } },
  }
}

export const actionHandlers = { actionReply, action }
