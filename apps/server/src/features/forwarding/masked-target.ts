/** Secrets of targets are never told; a mask that comes back means what is stored, as long as it goes to the same place. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { secretFields, secretMask, type TargetSettings } from '@ithings/contract/features/forwarding/targets.ts'
import { phrase } from '@ithings/contract/text.ts'

type Fields = Record<string, unknown>
type Headers = Array<{ key: string; value: string }>

const masked = (value: unknown) => (value === '' ? '' : secretMask)

export function maskTarget(target: TargetSettings): TargetSettings {
  const fields: Fields = { ...target }
  for (const name of secretFields) if (name in fields) fields[name] = masked(fields[name])
  if ('headers' in target) fields.headers = target.headers.map(({ key, value }) => ({ key, value: masked(value) }))
  return fields as TargetSettings
}

/** Where it goes: who may not read a secret must not have it sent to himself. */
function placeOf(target: TargetSettings): string {
  const { url, endpoint, host, port, brokers } = target as Fields
  const address = url ?? endpoint
  return `${target.type} ${address === undefined ? `${host}:${port} ${brokers}` : URL.parse(String(address))?.origin}`
}

const hidden = (field: string) =>
  new AppError(errors.parameter, {
    detail: phrase('「{field}」的值是被隐藏的内容，请重新填写', { field }),
    field: `target.${field}`,
  })

/** @param saved undefined: there is none yet */
export function unmaskTarget(given: TargetSettings, saved: TargetSettings | undefined): TargetSettings {
  const fields: Fields = { ...given }
  const known: Fields = saved && placeOf(saved) === placeOf(given) ? { ...saved } : {}
  const open = (field: string, value: unknown, stored: unknown) => {
    if (value !== secretMask) return value
    if (stored === undefined) throw hidden(field)
    return stored
  }
  for (const name of secretFields) if (name in fields) fields[name] = open(name, fields[name], known[name])
  if ('headers' in given) {
    const headers = (known.headers ?? []) as Headers
    const storedOf = (key: string) => headers.find((one) => one.key.toLowerCase() === key.toLowerCase())?.value
    fields.headers = given.headers.map(({ key, value }) => ({ key, value: open('headers', value, storedOf(key)) }))
  }
  return fields as TargetSettings
}
