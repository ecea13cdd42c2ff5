/** Flags of an endpoint, and the body that they make. */
import { readFile } from 'node:fs/promises'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { pageInput } from '@ithings/contract/paging.ts'
import { t } from '@ithings/contract/text.ts'
import { Option } from 'commander'
import { usageFailure } from './failure.ts'
import { type Field, fieldsOf } from './field.ts'
import { kebab } from './names.ts'
import type { Place } from './place.ts'

export interface Flag extends Field {
  /** Of the body. */
  field: string
  option: Option
  required: boolean
}

const placeholders: Record<Field['kind'], string> = {
  text: '文本',
  integer: '整数',
  number: '数字',
  boolean: 'true|false',
  choice: '',
  json: 'JSON',
}

function placeholderOf({ kind, many, choices }: Field): string {
  const listed = choices.map(({ name }) => name).join('|')
  const word =
    kind === 'choice' ? (listed.length > 40 ? t('选项') : listed) : t(placeholders[kind], { context: 'flag' })
  if (kind === 'boolean') return `[${word}]`
  return many ? `<${word}...>` : `<${word}>`
}

function describe({ choices, required }: Field & { required: boolean }): string {
  const meanings = choices.map(({ name, value, label }) => {
    const numbered = typeof value === 'number' ? `${name} (${value})` : name
    return label && t(label) !== name ? `${numbered} ${t(label)}` : numbered
  })
  const isPlain = choices.every(({ name, value, label }) => name === value && !label)
  const told = isPlain && choices.length < 6 ? '' : meanings.join(t('、'))
  return [required ? t('必填') : '', told].filter(Boolean).join(t('；'))
}

const single = (flags: string, description: string): Option => new Option(flags, description)

/** A flag that takes several values. The library knows that by its dots only where the word before them is English. */
export function several(flags: string, description: string): Option {
  const option = new Option(flags, description)
  option.variadic = true
  return option
}

/** @param taken flags that every command has */
export function flagsOf(endpoint: Endpoint, taken: ReadonlySet<string>): Flag[] {
  return [...fieldsOf(endpoint.body)]
    .filter(([, { schema }]) => schema !== pageInput)
    .map(([field, read]) => {
      const usual = kebab(field)
      const name = taken.has(usual) ? `field-${usual}` : usual
      const option = (read.many ? several : single)(`--${name} ${placeholderOf(read)}`, describe(read))
      return { ...read, field, option }
    })
}

export const isPaged = (endpoint: Endpoint): boolean =>
  [...fieldsOf(endpoint.body).values()].some(({ schema }) => schema === pageInput)

function sentValue({ kind, choices, option }: Flag, text: string | true): unknown {
  const flag = option.long
  if (kind === 'boolean') {
    if (text === true || text === 'true') return true
    if (text === 'false') return false
    throw usageFailure(t('{flag} 须为 true 或 false，收到 {text}', { flag, text }))
  }
  const given = String(text)
  if (kind === 'integer' || kind === 'number') {
    const number = Number(given)
    if (given.trim() !== '' && (kind === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)))
      return number
    throw usageFailure(
      kind === 'integer'
        ? t('{flag} 须为整数，收到 {text}', { flag, text: given })
        : t('{flag} 须为数字，收到 {text}', { flag, text: given }),
    )
  }
  if (kind === 'choice') {
    const chosen = choices.find(({ name, value }) => name === given || String(value) === given)
    if (chosen) return chosen.value
    const known = choices.map(({ name }) => name)
    throw usageFailure(t('{flag} 不能是 {text}，可以是 {known}', { flag, text: given, known: known.join(t('、')) }))
  }
  return kind === 'json' ? parseJson(given, flag ?? '') : given
}

function parseJson(text: string, from: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usageFailure(t('{from} 不是 JSON：{fault}', { from, fault: error instanceof Error ? error.message : '' }))
  }
}

/** The text itself, @file, or - for the standard input. */
export async function readText(place: Place, given: string): Promise<string> {
  if (given === '-') return place.readInput()
  if (!given.startsWith('@')) return given
  return readFile(given.slice(1), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(t('无法读取文件 {file}（{code}）', { file: given.slice(1), code: error.code }))
  })
}

export type Given = Readonly<Record<string, unknown>>

/** What `--body` holds, and over it what single flags say. Texts and JSON of a flag may come from a file, too. */
export async function bodyOf(place: Place, flags: readonly Flag[], given: Given): Promise<Record<string, unknown>> {
  const whole = typeof given.body === 'string' ? parseJson(await readText(place, given.body), '--body') : {}
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw usageFailure(t('{from} 须为 JSON 对象', { from: '--body' }))
  const body: Record<string, unknown> = { ...whole }
  for (const flag of flags) {
    const value = given[flag.option.attributeName()] as string | string[] | true | undefined
    if (value === undefined) continue
    if (Array.isArray(value)) body[flag.field] = value.map((one) => sentValue(flag, one))
    else if (flag.kind === 'json' && value !== true)
      body[flag.field] = parseJson(await readText(place, value), flag.option.long ?? '')
    else body[flag.field] = sentValue(flag, flag.kind === 'text' && value !== true ? await textOf(place, value) : value)
  }
  const missing = flags.filter(({ required, field }) => required && body[field] === undefined)
  if (missing.length > 0)
    throw usageFailure(t('缺少 {flags}', { flags: missing.map(({ option }) => option.long).join(t('、')) }))
  return body
}

/** Only @file: a text may be "-". */
const textOf = (place: Place, value: string) => (value.startsWith('@') ? readText(place, value) : value)
