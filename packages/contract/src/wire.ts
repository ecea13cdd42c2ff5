/**
 * How values travel (http-api.md 1): inputs are lenient (digit strings count as numbers, empty text as absent),
 * outputs are exact. Bodies use the input helpers, data schemas the output helpers.
 */

import * as z from 'zod'

const digits = z.string().regex(/^-?\d{1,15}$/, '必须是整数')

/** Integer input: a JSON number or its decimal text. */
export const int = (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) =>
  z.union([z.int(), digits.transform(Number)]).pipe(z.int().min(min).max(max))

/** Row ids are positive integers; `str#` and number spellings are both accepted. */
export const id = () => int(1)

/** For whoever reads the schema: the API page and assistants. */
const meaningOf = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ')

/** Enumerated input by number; 0 and "" mean "not given" as on the public platform. */
export const optionalEnum = <const T extends Record<string, number>>(values: T) =>
  z
    .union([z.literal(''), z.int(), digits.transform(Number)])
    .describe(meaningOf(values))
    .transform((value) => (value === '' || value === 0 ? undefined : value))
    .pipe(z.enum(values).optional())
    .optional()

/** Required enumerated input: a JSON number or its decimal text. */
export const oneOf = <const T extends Record<string, number>>(values: T) =>
  z
    .union([z.int(), digits.transform(Number)])
    .describe(meaningOf(values))
    .pipe(z.enum(values))

type Shape = Readonly<Record<string, z.ZodType>>
type Sent<Field extends z.ZodType> = z.ZodOptional<
  Field extends z.ZodDefault<infer Inner extends z.ZodType> ? Inner : Field
>

/** Fields of an update: what is not sent is absent and stays as it is, also where a new thing would get a default. */
export const fieldsToUpdate = <const S extends Shape>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field).optional(),
    ]),
  ) as { -readonly [Name in keyof S]: Sent<S[Name]> }

/** Free text input of bounded length; surrounding blanks are dropped. */
export const text = (max: number, min = 0) => z.string().trim().min(min).max(max)

/** Text filter: "contains"; an empty one is no filter. */
export const filterText = (max = 128) =>
  z
    .string()
    .trim()
    .max(max)
    .transform((value) => (value === '' ? undefined : value))
    .optional()

const notANumber = '必须是数字'
/** Number input: a JSON number or its decimal text. */
export const number = (min: number, max: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/, notANumber)
        .transform(Number),
    ])
    .pipe(z.number().min(min).max(max))

/** Tags travel as an array of pairs in both directions; at most ten, keys unique (screens.md 0.3). */
export const tag = z.object({ key: z.string(), value: z.string() })
export type Tag = z.output<typeof tag>
export const maxTags = 10
export const tagsInput = z
  .array(z.object({ key: text(32, 1), value: text(64, 1) }))
  .max(maxTags)
  .refine((tags) => new Set(tags.map((one) => one.key)).size === tags.length, '中的键不能重复')

/** BD09 coordinates; decisions.md 2 "Model limits". */
export const point = z.object({ longitude: z.number(), latitude: z.number() })
export type Point = z.output<typeof point>
export const pointInput = z.object({ longitude: number(-180, 180), latitude: number(-90, 90) })

/** `str#`: a string holding a decimal integer. */
export const strInt = z.string().regex(/^-?\d+$/)

/** Handlers that answer nothing: the `data` key is absent. */
export const nothing = z.void()

export const toStr = (value: number | bigint): string => String(value)

/** Unix seconds of a database time; a missing one is 0 ("never"). */
export const toSeconds = (time: Date | null | undefined): number => (time ? Math.floor(time.getTime() / 1000) : 0)

export const toSecondsStr = (time: Date | null | undefined): string => String(toSeconds(time))

/** null = absent (http-api.md 1): drops null members at any depth; array items stay as they are. */
export function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls)
  if (value === null || typeof value !== 'object') return value
  // fromEntries, because to assign a member of the name __proto__ would give the object another prototype.
  const kept = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(kept.map(([key, member]) => [key, dropNulls(member)]))
}
