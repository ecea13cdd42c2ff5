/** One message as a line of InfluxDB: `measurement,tags fields time`. */
import type { ForwardMessage } from '#ports/forward-target.ts'

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escaping = (special: RegExp) => (text: string) =>
  text
    .replace(special, (found) => escapes[found] ?? `\\${found}`)
    // It would make what follows a part of the name.
    .replace(/\\+$/, '')
const measurementText = escaping(/[, \n\r\t]/g)
/** Names and values of tags, names of fields. */
const keyText = escaping(/[,= \n\r\t]/g)
const stringText = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

function fieldText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return stringText(value)
  return Array.isArray(value) ? stringText(JSON.stringify(value)) : undefined
}

function* fieldsOf(data: Record<string, unknown>, prefix = ''): Generator<string> {
  for (const [name, value] of Object.entries(data)) {
    const key = prefix + name
    const text = fieldText(value)
    if (text !== undefined) {
      if (keyText(key) !== '') yield `${keyText(key)}=${text}`
    } else if (typeof value === 'object' && value !== null) yield* fieldsOf({ ...value }, `${key}_`)
  }
}

/** Undefined when the message has nothing that could be a field. */
export function lineOf(message: ForwardMessage, measurement: string): string | undefined {
  const fields = [...fieldsOf(message.data)].join(',')
  if (fields === '') return undefined
  const name = measurementText(measurement || message.productID || message.source)
  const tags = [
    ['product', message.productID],
    ['device', message.deviceName],
    ['identifier', message.identifier],
  ]
    .map(([key, value]) => [key, keyText(value ?? '')])
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `,${key}=${value}`)
    .join('')
  // A line that begins with # is a comment, and would be dropped without a word.
  return `${name.startsWith('#') ? '_' : ''}${name}${tags} ${fields} ${message.time}`
}
