/** The messages that a function stands for (device-protocol.md 5), as devices and the platform would send them. */

import { t } from '@ithings/contract/text.ts'
import type { ModelFunction } from '@ithings/contract/thing-model/affordance.ts'
import { ActionDirection, FunctionType, PropertyMode } from '@ithings/contract/thing-model/model.ts'
import { exampleParams, exampleValue } from '#blocks/model-form/example-value.ts'

export interface PayloadSample {
  key: string
  label: string
  topic: string
  payload: Record<string, unknown>
}

interface SampleContext {
  productID: string
  now: number
  /** What somebody typed as the example; absent: made from the definition. */
  values?: Record<string, unknown> | undefined
}

const token = '7f3a-0192'
type Way = 'up' | 'down'
const opposite: Record<Way, Way> = { up: 'down', down: 'up' }

// As the platform says it to devices, not a text.
const succeeded = { code: 200, status: '成功' }

/** Names of the default dialect (decisions.md 2 "Device method names"). */
export function payloadSamples(part: ModelFunction, { productID, now, values }: SampleContext): PayloadSample[] {
  const sample = (
    key: string,
    label: string,
    way: Way,
    type: string,
    body: Record<string, unknown>,
  ): PayloadSample => ({
    key,
    label,
    topic: `$thing/${way}/${type}/${productID}/{DeviceName}`,
    payload: { method: key, clientToken: token, timestamp: now, ...body },
  })
  const { identifier } = part.value
  switch (part.type) {
    case FunctionType.property: {
      const params = values ?? { [identifier]: exampleValue(part.value.define, now) }
      const report = sample('report', t('上报 report'), 'up', 'property', { params })
      // A read-only property is never set (decisions.md 2 "mode r").
      return part.value.mode === PropertyMode.read
        ? [report]
        : [report, sample('control', t('下发 control'), 'down', 'property', { params })]
    }
    case FunctionType.event: {
      const params = values ?? exampleParams(part.value.params, now)
      const { type } = part.value
      return [
        sample('event_post', t('上报 event_post'), 'up', 'event', {
          version: '1.0',
          eventID: identifier,
          type,
          params,
        }),
        sample('event_reply', t('回复 event_reply'), 'down', 'event', succeeded),
      ]
    }
    case FunctionType.action: {
      const way = part.value.dir === ActionDirection.up ? 'up' : 'down'
      const params = values ?? exampleParams(part.value.input, now)
      const response = exampleParams(part.value.output, now)
      return [
        sample('action', t('调用 action'), way, 'action', { actionID: identifier, params }),
        sample('action_reply', t('回复 action_reply'), opposite[way], 'action', {
          ...succeeded,
          response,
        }),
      ]
    }
  }
}
