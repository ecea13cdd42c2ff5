/** The sample message of a dry run as facts, held to the product's model like a real one. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { dryRunScene } from '@ithings/contract/features/scenes/trial.ts'
import { type CachedProduct, coerceParams } from '#features/products/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { CompiledTrigger, Fact } from './engine/engine-types.ts'

export type SampleMessage = NonNullable<BodyOutput<typeof dryRunScene>['message']>

const bad = (detail: string, field: string) => new AppError(errors.parameter, { detail, field })

function coerceValues(product: CachedProduct, params: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [identifier, given] of Object.entries(params)) {
    const property = product.properties.get(identifier)
    if (!property) throw bad(`产品「${product.productName}」没有属性 ${identifier}`, 'message.params')
    const result = property.report(given, identifier)
    if (!result.ok) {
      const entry = result.fault.code === errors.outOfRange.code ? errors.outOfRange : errors.parameter
      throw new AppError(entry, { detail: result.fault.text, field: 'message.params' })
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
    if (!event) throw bad(`产品「${product.productName}」没有事件 ${eventID}`, 'message.eventID')
    return [{ ...base, kind: 'event', eventID, params: coerceParams(event.params, params ?? {}, eventID) }]
  }
  const facts: Fact[] = []
  if (online !== undefined) facts.push({ ...base, kind: 'presence', online })
  if (params && Object.keys(params).length > 0)
    facts.push({ ...base, kind: 'values', values: coerceValues(product, params) })
  if (facts.length === 0) facts.push(...silences(triggers, base))
  if (facts.length === 0) throw bad('样例消息是空的，请填写属性、事件或上下线', 'message')
  return facts
}
