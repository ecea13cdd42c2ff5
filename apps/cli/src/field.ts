/** What a flag may hold, read from the schema of a field. */
import { enumLabels } from '@ithings/contract/all-endpoints.ts'
import type * as z from 'zod'
import { kebab } from './names.ts'

export interface Choice {
  /** As it is typed. */
  name: string
  /** As it is sent. */
  value: string | number
  /** Chinese; '' when there is none. */
  label: string
}

export interface Field {
  kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'json'
  /** Several values, each of this kind. */
  many: boolean
  choices: readonly Choice[]
}

interface Def {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: z.ZodType[]
  element?: z.ZodType
  entries?: Record<string, string | number>
  values?: unknown[]
  format?: string
}
const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def

const plain = (kind: Field['kind']): Field => ({ kind, many: false, choices: [] })

function choiceOf(entries: Record<string, string | number>): Field {
  const labels = enumLabels(entries)
  const choices = Object.entries(entries).map(([key, value]) => ({
    name: typeof value === 'number' ? kebab(key) : value,
    value,
    label: labels?.[value] ?? '',
  }))
  return { kind: 'choice', many: false, choices }
}

/** A union is lenient about spelling (`int` also takes digits) or about emptiness: what it means is its richest member. */
const richness: readonly Field['kind'][] = ['choice', 'json', 'boolean', 'number', 'integer', 'text']
const meantBy = (options: readonly z.ZodType[]): Field => {
  const fields = options.filter((one) => !isEmpty(one)).map(readField)
  const rank = ({ kind, many }: Field) => richness.indexOf(kind) - (many ? richness.length : 0)
  return fields.toSorted((a, b) => rank(a) - rank(b))[0] ?? plain('text')
}
/** A member that stands for "left empty": '', null, or one of them turned into nothing. */
const isEmpty = (schema: z.ZodType): boolean => {
  const { type, in: input, values } = defOf(schema)
  if (input) return isEmpty(input)
  return type === 'null' || (type === 'literal' && (values ?? []).every((one) => one === '' || one === null))
}

export function readField(schema: z.ZodType): Field {
  const { type, innerType, in: input, out, options, element, entries, values, format } = defOf(schema)
  if (innerType) return readField(innerType)
  if (input && out) {
    if (defOf(input).type === 'transform') return readField(out)
    const end = defOf(out).type === 'transform' ? undefined : readField(out)
    return end?.kind === 'choice' ? end : readField(input)
  }
  if (options) return meantBy(options)
  if (entries) return choiceOf(entries)
  if (element) {
    const item = readField(element)
    return item.kind === 'json' || item.many ? plain('json') : { ...item, many: true }
  }
  if (type === 'literal') return choiceOf(Object.fromEntries((values ?? []).map((one) => [String(one), one as string])))
  if (type === 'number') return plain(format === 'safeint' ? 'integer' : 'number')
  return plain(type === 'string' ? 'text' : type === 'boolean' ? 'boolean' : 'json')
}

/** Fields of a body, with those that it cannot do without. */
export function fieldsOf(body: z.ZodType): Map<string, Field & { required: boolean; schema: z.ZodType }> {
  const { shape, def } = body as { shape?: Record<string, z.ZodType>; def?: { in?: z.ZodType } }
  if (!shape) return def?.in ? fieldsOf(def.in) : new Map()
  return new Map(
    Object.entries(shape).map(([name, schema]) => [
      name,
      { ...readField(schema), required: !schema.safeParse(undefined).success, schema },
    ]),
  )
}
