/** Which handler takes a message: by topic and method. The table of contents of the device protocol. */

import type { DeviceMethod } from '@ithings/contract/device/messages.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Handler } from './corridor-deps.ts'
import { actionHandlers } from './handlers/action.ts'
import { eventHandlers } from './handlers/event.ts'
import { operationHandlers, statusHandlers } from './handlers/gateway.ts'
import { otaHandlers } from './handlers/ota.ts'
import { packReport } from './handlers/pack.ts'
import { propertyHandlers } from './handlers/property.ts'
import { serviceHandlers } from './handlers/services.ts'
import { keep, type Step, upOf } from './passage.ts'
import type { Uplink } from './uplink-message.ts'

type Methods = Partial<Record<DeviceMethod, Handler>>

/** device-protocol.md 7 and 8: any method counts. */
const anyMethod: Record<string, Handler> = {
  'log/report': serviceHandlers.uploadLogs,
  'ota/progress': otaHandlers.reportStep,
}

const table: Record<string, Methods> = {
  'thing/property': { ...propertyHandlers, packReport },
  'thing/event': eventHandlers,
  'thing/action': actionHandlers,
  'gateway/operation': operationHandlers,
  'gateway/status': statusHandlers,
  'log/operation': { getStatus: serviceHandlers.readLogLevel },
  'config/get': { get: serviceHandlers.readConfig },
  'ota/report': { reportInfo: otaHandlers.reportVersion },
  'ext/ntp': { getNtp: serviceHandlers.readTime },
  'ext/register': { register: serviceHandlers.registerAgain },
}

function handlerOf({ topic, method }: Uplink): Handler {
  const place = `${topic.head}/${topic.type}`
  const handler = anyMethod[place] ?? table[place]?.[method]
  if (!handler)
    throw new AppError(errors.method, {
      detail: phrase('{method} 不能用于 {topic}', { method, topic: `$${topic.head}/up/${topic.type}` }),
    })
  return handler
}

export const handle: Step = (passage, corridor) => {
  const up = upOf(passage)
  return keep(handlerOf(up)(up, corridor), (outcome) => {
    passage.outcome = outcome
  })
}
