import { describeIssue, labelled } from '@ithings/contract/describe-issue.ts'
import { t } from '@ithings/contract/text.ts'
import type { FormRule } from 'antd'
import type * as z from 'zod'

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

const fieldSchema = (schema: z.ZodObject, field: string): z.ZodType | undefined =>
  (schema.shape as Record<string, z.ZodType>)[field]

/** Must something be filled in? Decided by asking the schema itself. */
export function isRequired(schema: z.ZodObject, field: string): boolean {
  const one = fieldSchema(schema, field)
  return one ? !one.safeParse(undefined).success && !one.safeParse('').success : false
}

/** The sentence for one value, or undefined when the schema takes it. */
export function checkField(schema: z.ZodObject, field: string, label: string, value: unknown): string | undefined {
  const one = fieldSchema(schema, field)
  if (!one) return undefined
  if (isEmpty(value)) return isRequired(schema, field) ? labelled(label, t('不能为空')) : undefined
  const issue = one.safeParse(value).error?.issues[0]
  return issue && describeIssue(issue, label)
}

/** The contract's schema as an antd rule: console and server refuse the same values with the same words. */
export function schemaRules(schema: z.ZodObject, field: string, label: string): FormRule[] {
  return [
    {
      validator: (_rule, value: unknown) => {
        const sentence = checkField(schema, field, label, value)
        return sentence === undefined ? Promise.resolve() : Promise.reject(new Error(sentence))
      },
    },
  ]
}

/** Form controls clear to null or ''; the wire wants an absent key unless the field takes the empty text. */
export function toWire(schema: z.ZodObject, values: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    if (!isEmpty(value)) return [[name, value]]
    return value === '' && fieldSchema(schema, name)?.safeParse('').success ? [[name, '']] : []
  })
  return Object.fromEntries(entries)
}

export interface FieldProblem {
  path: (string | number)[]
  text: string
}

/** The whole schema at once: rules that look at several fields speak here. */
export function checkAll<S extends z.ZodObject>(
  schema: S,
  values: Record<string, unknown>,
  labels: ReadonlyMap<string, string>,
): { data: z.output<S> } | { problems: FieldProblem[] } {
  const parsed = schema.safeParse(toWire(schema, values))
  if (parsed.success) return { data: parsed.data }
  const problems = parsed.error.issues.map((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
    return { path, text: describeIssue(issue, labels.get(path.join('.'))) }
  })
  return { problems }
}
