/** Turns a zod issue into a sentence that names the field, the limit and the value given (decisions.md 4.6). */

import type * as z from 'zod'
import { fill, type TextValues, t } from '#text.ts'
import { AppError, errors } from './errors.ts'

type Issue = z.core.$ZodIssue

const typeNames: Record<string, string> = {
  string: '文本',
  number: '数字',
  int: '整数',
  boolean: '布尔值',
  array: '数组',
  object: '对象',
  record: '对象',
}

/** The members of a union that say something: a plain type mismatch of one member hides a limit of the other. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const all = issue.errors.flat()
  // A member that only stands for "left empty" has nothing to say about a value that was given.
  const meant = all.filter((inner) => !(inner.code === 'invalid_value' && inner.values.every((value) => value === '')))
  const telling = meant.find((inner) => inner.code !== 'invalid_type') ?? meant[0] ?? all[0]
  return telling ? innermost({ ...telling, path: [...issue.path, ...telling.path] } as Issue) : issue
}

function sizeUnit(origin: string): 'characters' | 'items' | undefined {
  if (origin === 'string') return 'characters'
  return origin === 'array' || origin === 'set' ? 'items' : undefined
}

/** A label before a sentence: Chinese runs on, a name of the wire stands apart. */
export const labelled = (label: string, sentence: string): string =>
  /\p{Script=Han}$/u.test(label) && /^\p{Script=Han}/u.test(sentence) ? label + sentence : `${label} ${sentence}`

export function describeIssue(raw: Issue, label?: string): string {
  const issue = innermost(raw)
  return labelled(label ?? (issue.path.length > 0 ? issue.path.join('.') : t('请求体')), sentenceOf(issue))
}

/** For a schema whose message holds values: the message as it is in Chinese, and what other languages need to say it. */
export const saying = (text: string, values: TextValues) => ({ message: fill(text, values), params: { text, values } })

function ownMessage(issue: Issue): string {
  const said = issue.code === 'custom' ? (issue.params as Partial<ReturnType<typeof saying>['params']>) : undefined
  return said?.text ? t(said.text, said.values) : t(issue.message)
}

function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.includes('received undefined')
        ? t('不能为空')
        : t('必须是{type}', { type: t(typeNames[issue.expected] ?? issue.expected, { context: 'type' }) })
    case 'too_small': {
      const unit = sizeUnit(issue.origin)
      if (issue.origin === 'string' && issue.minimum === 1) return t('不能为空')
      if (unit === 'characters') return t('不能少于 {count} 个字符', { count: Number(issue.minimum) })
      return unit === 'items'
        ? t('不能少于 {count} 项', { count: Number(issue.minimum) })
        : t('不能小于 {minimum}', { minimum: issue.minimum })
    }
    case 'too_big': {
      const unit = sizeUnit(issue.origin)
      if (unit === 'characters') return t('不能超过 {count} 个字符', { count: Number(issue.maximum) })
      return unit === 'items'
        ? t('不能超过 {count} 项', { count: Number(issue.maximum) })
        : t('不能大于 {maximum}', { maximum: issue.maximum })
    }
    case 'invalid_value':
      return t('只能是 {values}', { values: issue.values.map(String).join(t('、')) })
    case 'unrecognized_keys':
      return t('含有未知字段 {keys}', { keys: issue.keys.join(t('、')) })
    // Our own schemas give their format, custom and union messages; those of the library all begin like this.
    default:
      return issue.message.startsWith('Invalid ') ? t('格式不正确') : ownMessage(issue)
  }
}

/** What a schema makes of a value; a fault is told to the caller with its field. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  // Measured again in the language of whoever reads it: the schemas bring words of their own.
  const again = () => describeError(schema.safeParse(value).error ?? parsed.error).text
  throw new AppError(errors.parameter, { detail: again, field: describeError(parsed.error).field })
}

/** The first issue decides the sentence; its path names the field for the form. */
export function describeError(error: z.ZodError): { text: string; field: string } {
  const first = error.issues[0]
  if (!first) return { text: t('格式不正确'), field: '' }
  return { text: describeIssue(first), field: first.path.join('.') }
}
