/** Bodies as the schema of an endpoint asks for them, with something wrong in most of them. */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import fc from 'fast-check'
import * as z from 'zod'

type Schema = z.core.JSONSchema.JSONSchema
/** Values that mean something to this installation, by the name of the field. */
export type Known = Readonly<Record<string, readonly unknown[]>>

/** Stand for what JSON.stringify cannot write. */
const beyondNumbers = '@huge'
const veryDeep = '@deep'
const veryLong = '@long'
const asJson: Record<string, string> = {
  [beyondNumbers]: '1e999',
  [veryDeep]: `${'[{"a":'.repeat(2_000)}1${'}]'.repeat(2_000)}`,
  [veryLong]: JSON.stringify('长'.repeat(100_000)),
}

const text = fc.string({ unit: 'binary', maxLength: 24 })
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...['\0', 'a\0b', '\ud800', '__proto__', 'constructor', '%', '\\', "'; drop table x; --"]),
  fc.constantFrom<unknown>(...['', ' ', '1e999', 'NaN', '0x10', '-0', '９', '../../etc/passwd']),
  fc.constantFrom<unknown>(null, true, -1, 0.5, -0, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324, beyondNumbers),
  fc.constantFrom<unknown>([], {}, [null], [[]], { toString: 1 }, { length: -1 }, veryDeep, veryLong),
  fc.jsonValue({ maxDepth: 2 }),
  text,
)

const often = (usual: fc.Arbitrary<unknown>, rare: fc.Arbitrary<unknown>, weight: number) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })

/** Small ones, since a number is often a count of things to make; the ends of the range where it is a narrow one. */
function integers({ minimum = 0, maximum = 20 }: Schema): fc.Arbitrary<unknown> {
  const min = Math.max(Math.ceil(minimum), -1)
  return fc.integer({ min, max: Math.max(min, Math.min(Math.floor(maximum), min + 20)) })
}

function texts({ pattern, format, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<unknown> {
  if (format === 'uri') return fc.constant('https://hook.invalid/x')
  if (format === 'email') return fc.constant('nobody@mail.invalid')
  if (format === 'uuid') return fc.uuid()
  // The library makes no texts for those that look ahead.
  if (pattern && !pattern.includes('(?')) return fc.stringMatching(new RegExp(pattern))
  const plain = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 12)) })
  // A field with so much room holds a script, a model or another document.
  return maxLength < 4_096 ? plain : fc.oneof(plain, fc.json({ maxDepth: 4 }), fc.constant('{}'))
}

function members({ properties = {}, required = [], additionalProperties }: Schema, known: Known) {
  const fields = Object.entries(properties).map(([name, member]) => [name, anything(member, known, name)] as const)
  const record = Object.fromEntries(fields)
  if (fields.length === 0 && typeof additionalProperties === 'object') {
    return fc.dictionary(text, anything(additionalProperties, known, ''), { maxKeys: 3 })
  }
  return often(fc.record(record, { requiredKeys: required }), fc.record(record, { requiredKeys: [] }), 6)
}

function asAsked(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  const { type, anyOf, items, minItems = 0, maxItems = 3 } = schema
  if (anyOf) return fc.oneof(...anyOf.map((one) => asAsked(one as Schema, known, name)))
  if (schema.enum) return fc.constantFrom<unknown>(...schema.enum)
  if ('const' in schema) return fc.constant<unknown>(schema.const)
  if (type === 'object') return members(schema, known)
  if (type === 'array') {
    const item = anything((items ?? {}) as Schema, known, name.replace(/s$/, ''))
    return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) })
  }
  if (type === 'string') return texts(schema)
  if (type === 'integer') return integers(schema)
  if (type === 'number') return fc.oneof(integers(schema), fc.double({ noNaN: true }))
  return type === 'boolean' ? fc.boolean() : odd
}

function anything(schema: Schema | boolean, known: Known, name: string): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return odd
  const meant = known[name]
  const asked = asAsked(schema, known, name)
  return often(meant ? often(fc.constantFrom(...meant), asked, 3) : asked, odd, 12)
}

const schemaOf = (endpoint: Endpoint, io: 'input' | 'output') =>
  z.toJSONSchema(endpoint.body, { io, unrepresentable: 'any' })

/** JSON texts. What a body is turned into knows enumerations and limits, what it is made of other spellings. */
export const hostileBody = (endpoint: Endpoint, known: Known): fc.Arbitrary<string> =>
  fc
    .oneof(anything(schemaOf(endpoint, 'output'), known, ''), anything(schemaOf(endpoint, 'input'), known, ''))
    .map((body) =>
      JSON.stringify(body).replaceAll(/"(@huge|@deep|@long)"(?!:)/g, (_, mark: string) => asJson[mark] ?? ''),
    )
