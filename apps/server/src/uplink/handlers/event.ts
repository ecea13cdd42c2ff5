/** `$thing/up/event` (device-protocol.md 5, thing-model.md 4 "Event post"). */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { phrase } from '@ithings/contract/text.ts'
import { jsonText } from '#db/json-text.ts'
import { coerceParams } from '#features/products/door.ts'
import { JournalKind } from '#ports/journal.ts'
import type { Handler } from '../corridor-deps.ts'

const eventPost: Handler = ({ message, product }) => {
  const eventID = typeof message.eventID === 'string' ? message.eventID : ''
  const known = product.events.get(eventID)
  if (!known)
    throw new AppError(errors.parameter, {
      detail: phrase('查不到物模型:事件 {eventID}', { eventID: eventID || phrase('（缺少 eventID）') }),
    })
  const { type } = known.event
  if (message.type !== undefined && message.type !== type) {
    throw new AppError(errors.parameter, {
      detail: phrase('事件 {eventID} 的类型须为 {type}，收到 {given}', {
        eventID,
        type,
        given: JSON.stringify(message.type),
      }),
    })
  }
  const given = message.params ?? {}
  if (!isRecord(given)) throw new AppError(errors.parameter, { detail: phrase('事件的 params 须为对象') })
  const params = coerceParams(known.params, given, '')
  return {
    kind: JournalKind.event,
    content: jsonText(params),
    dataID: eventID,
    event: true,
    reply: { method: 'eventReply' },
  }
}

export const eventHandlers = { eventPost }
