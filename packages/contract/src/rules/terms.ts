/** Comparisons of scenes (rules.md 3): operators, and how values of each type are compared. */
import { DataType } from '../thing-model/define.ts'

export const termTypes = ['eq', 'not', 'gt', 'gte', 'lt', 'lte', 'btw', 'in'] as const
export type TermType = (typeof termTypes)[number]
export const termLabels: Record<TermType, string> = {
  eq: '等于',
  not: '不等于',
  gt: '大于',
  gte: '大于等于',
  lt: '小于',
  lte: '小于等于',
  btw: '介于',
  in: '属于',
}
/** As sentences and narrow controls show them. */
export const termSigns: Record<TermType, string> = {
  eq: '=',
  not: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  btw: '介于',
  in: '属于',
}

/** What makes sense for a type; the server takes all of them, because existing consoles offer all. */
const ordered: readonly TermType[] = termTypes
const textual: readonly TermType[] = ['eq', 'not', 'in']
export const termsOfType: Record<DataType, readonly TermType[]> = {
  bool: ['eq', 'not'],
  int: ordered,
  float: ordered,
  timestamp: ordered,
  enum: ordered,
  string: textual,
  struct: [],
  array: [],
}

/** How many values a term takes: [fewest, most]. */
export const termValueCount: Record<TermType, readonly [number, number]> = {
  eq: [1, 1],
  not: [1, 1],
  gt: [1, 1],
  gte: [1, 1],
  lt: [1, 1],
  lte: [1, 1],
  btw: [2, 2],
  in: [1, 100],
}

const numeric = new Set<DataType>([DataType.int, DataType.float, DataType.timestamp, DataType.enum])

export const isNumericType = (type: DataType): boolean => numeric.has(type)

const trueTexts = new Set(['true', '1', 'True', 'TRUE', 't', 'T'])
const falseTexts = new Set(['false', '0', 'False', 'FALSE', 'f', 'F'])

/** A value of a term as the type reads it; undefined: it is none of that type. */
export function readTermValue(type: DataType, text: string): number | boolean | string | undefined {
  if (numeric.has(type)) {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value)) return undefined
    return type === DataType.float || Number.isInteger(value) ? value : undefined
  }
  if (type === DataType.bool) return trueTexts.has(text) ? true : falseTexts.has(text) ? false : undefined
  return type === DataType.string ? text : undefined
}

type Comparable = number | boolean | string
const shapeOf: Partial<Record<DataType, string>> = {
  int: 'number',
  float: 'number',
  timestamp: 'number',
  enum: 'number',
  bool: 'boolean',
  string: 'string',
}

const tests: Record<TermType, (seen: Comparable, wanted: readonly Comparable[]) => boolean> = {
  eq: (seen, [a]) => seen === a,
  not: (seen, [a]) => seen !== a,
  gt: (seen, [a]) => a !== undefined && seen > a,
  gte: (seen, [a]) => a !== undefined && seen >= a,
  lt: (seen, [a]) => a !== undefined && seen < a,
  lte: (seen, [a]) => a !== undefined && seen <= a,
  btw: (seen, [a, b]) => a !== undefined && b !== undefined && seen >= a && seen <= b,
  in: (seen, wanted) => wanted.includes(seen),
}

/**
 * A term made ready for the hot path. A value of another type than the model has now never matches (rules.md 3: never
 * reported is false).
 * @returns undefined when the values do not fit the type or the term
 */
export function compileTerm(
  type: DataType,
  term: TermType,
  values: readonly string[],
): ((seen: unknown) => boolean) | undefined {
  const shape = shapeOf[type]
  const [fewest, most] = termValueCount[term]
  if (shape === undefined || values.length < fewest || values.length > most) return undefined
  const wanted: Comparable[] = []
  for (const text of values) {
    const value = readTermValue(type, text)
    if (value === undefined) return undefined
    wanted.push(value)
  }
  const test = tests[term]
  return (seen) => typeof seen === shape && test(seen as Comparable, wanted)
}
