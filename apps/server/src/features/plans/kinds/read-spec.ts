import { parseInput } from '@ithings/contract/describe-issue.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { phrase } from '@ithings/contract/text.ts'
import { dropNulls } from '@ithings/contract/wire.ts'
import type * as z from 'zod'
import type { Spec } from './kind.ts'

/** Nothing is said by these, so nothing is lost when they are left out. */
const saysNothing = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.values(value).every(saysNothing))

/** The first member that the form does not have: most often a slip of the pen, which must not pass in silence. */
function strangeIn(given: unknown, known: unknown, path: string): string | undefined {
  if (Array.isArray(given) && Array.isArray(known)) {
    if (given.length !== known.length) return undefined
    return given.map((one, i) => strangeIn(one, known[i], `${path}[${i}]`)).find(Boolean)
  }
  if (!isRecord(given) || !isRecord(known)) return undefined
  for (const [name, value] of Object.entries(given)) {
    const place = path === '' ? name : `${path}.${name}`
    if (!(name in known)) {
      if (saysNothing(value)) continue
      return place
    }
    const inner = strangeIn(value, known[name], place)
    if (inner) return inner
  }
  return undefined
}

export function refuseStrange(given: Spec, known: Spec): void {
  const name = strangeIn(given, known, '')
  if (name) throw new AppError(errors.parameter, { detail: phrase('没有「{name}」这个字段', { name }), field: name })
}

export function readSpec<S extends z.ZodType>(schema: S, given: Spec): z.output<S> {
  const spec = parseInput(schema, dropNulls(given))
  refuseStrange(given, spec as Spec)
  return spec
}
