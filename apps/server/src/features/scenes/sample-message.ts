/** The sample message of a dry run as facts, held to the product's model like a real one. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { dryRunScene } from '@ithings/contract/features/scenes/trial.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { faultText } from '@ithings/contract/thing-model/values.ts'
import { type CachedProduct, coerceParams } from '#features/products/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { CompiledTrigger, Fact } from './engine/engine-types.ts'

export type SampleMessage = NonNullable<BodyOutput<typeof dryRunScene>['message']>

const bad = (detail: Phrase, field: string) => new AppError(errors.parameter, { detail, field })

function coerceValues(product: CachedProduct, params: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [identifier, given] of Object.entries(params)) {
    const property = product.properties.get(identifier)
    if (!property)
      throw bad(
        phrase('产品「{product}」没有属性 {identifier}', { product: product.productName, identifier }),
        'message.params',
      )
    const measure = () => property.report(given, identifier)
    const result = measure()
    if (!result.ok) {
      const entry = result.fault.code === errors.outOfRange.code ? errors.outOfRange : errors.parameter
      throw new AppError(entry, { detail: () => faultText(measure()), field: 'message.params' })
    }
    values[identifier] = result.value
  }
  return values
}

/** A sample that says nothing stands for a device that has said nothing for long enough. */
const silences = (triggers: readonly CompiledTrigger[], base: { device: DeviceRef; at: number; traceID: string }) =>
  triggers
    .filter(({ operator }) => operator === 'noReport')
    .map(({ dataID, silenceMs }): Fact => ({ ...base, kind: 'silence', since: base.at - silenceMs, dataID }))

export function sampleFacts(
  { params, eventID, online }: SampleMessage,
  product: CachedProduct,
  triggers: readonly CompiledTrigger[],
  base: { device: DeviceRef; at: number; traceID: string },
): Fact[] {
  if (eventID) {
    const event = product.events.get(eventID)
    if (!event)
      throw bad(
        phrase('产品「{product}」没有事件 {eventID}', { product: product.productName, eventID }),
        'message.eventID',
      )
    return [{ ...base, kind: 'event', eventID, params: coerceParams(event.params, params ?? {}, eventID) }]
  }
  const facts: Fact[] = []
  if (online !== undefined) facts.push({ ...base, kind: 'presence', online })
  if (params && Object.keys(params).length > 0)
    facts.push({ ...base, kind: 'values', values: coerceValues(product, params) })
  if (facts.length === 0) facts.push(...silences(triggers, base))
  if (facts.length === 0) throw bad(phrase('样例消息是空的，请填写属性、事件或上下线'), 'message')
  return facts
}
