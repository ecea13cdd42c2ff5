/** Where a trigger or condition looks inside a product's model, and how values there are compared and shown. */
import { type NamedValue, showValue } from '@ithings/contract/rules/scene-names.ts'
import { compileTerm, type TermType } from '@ithings/contract/rules/terms.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { DataType, type Define, dataTypeLabels } from '@ithings/contract/thing-model/define.ts'
import type { CachedProduct } from '#features/products/door.ts'

export interface ValuePlace {
  dataID: string
  member: string
  define: Define
  /** For people: name of the property and of the member. */
  name: string
}

export type Found<T> = { ok: true; found: T } | { ok: false; problem: string }
const gone = (problem: string): { ok: false; problem: string } => ({ ok: false, problem })

/** rules.md 2: dataID[0] is the property, dataID[1] the member of a struct. */
export function findPropertyPlace(product: CachedProduct, dataID: readonly string[]): Found<ValuePlace> {
  const [identifier = '', member = ''] = dataID
  const property = product.properties.get(identifier)?.property
  if (!property) return gone(kept('产品“{product}”没有属性 {identifier}', { product: product.productName, identifier }))
  const { define, name } = property
  if (member === '') return { ok: true, found: { dataID: identifier, member, define, name } }
  const spec = define.specs?.find((one) => one.identifier === member)
  if (!spec) return gone(kept('属性“{name}”没有成员 {member}', { name, member }))
  return { ok: true, found: { dataID: identifier, member, define: spec.dataType, name: `${name}.${spec.name}` } }
}

/** dataID[0] is the event, dataID[1] one of its parameters; without one every such event counts. */
export function findEventPlace(
  product: CachedProduct,
  dataID: readonly string[],
): Found<{ eventID: string; name: string; place: ValuePlace | undefined }> {
  const [identifier = '', member = ''] = dataID
  const event = product.events.get(identifier)?.event
  if (!event) return gone(kept('产品“{product}”没有事件 {identifier}', { product: product.productName, identifier }))
  if (member === '') return { ok: true, found: { eventID: identifier, name: event.name, place: undefined } }
  const param = event.params.find((one) => one.identifier === member)
  if (!param) return gone(kept('事件“{name}”没有参数 {param}', { name: event.name, param: member }))
  const name = `${event.name}.${param.name}`
  const place = { dataID: identifier, member, define: param.define, name }
  return { ok: true, found: { eventID: identifier, name, place } }
}

export type Test = (seen: unknown) => boolean

export function compilePlaceTerm(place: ValuePlace, term: TermType, values: readonly string[]): Found<Test> {
  const { define, name } = place
  if (define.type === DataType.struct) return gone(kept('“{name}”是结构体，须选择其中的成员', { name }))
  if (define.type === DataType.array) return gone(kept('“{name}”是数组，不支持比较', { name }))
  const test = compileTerm(define.type, term, values)
  return test
    ? { ok: true, found: test }
    : gone(
        kept('“{name}”是{type}，比较值不符：{values}', {
          name,
          type: phrase(dataTypeLabels[define.type]),
          values: values.join() === '' ? phrase('空') : values,
        }),
      )
}

/** "83.6 ℃", the label of an enumeration. */
export const makeShow =
  ({ name, define }: ValuePlace): ((value: unknown) => string) =>
  (value) => {
    const what: NamedValue = { name, unit: define.unit, define }
    return showValue(what, value)
  }
