/** Log texts and what assistants read never hold secrets: members with a telling name are masked at any depth. */
const secretNames =
  /pass(word|wd)?$|pwd$|secret|token|psk|accesskey|authorization|signature|privatekey|secondcode|recoverycodes/i
const secretPairs = /pass(word|wd)?$|pwd$|secret|token|key$|cookie|authorization|signature/i
const mask = '******'
const maxText = 8_192
/** Of a log; what lies deeper is masked whole. */
const logDepth = 12
/** No body of a call is deeper (http/body-check.ts). */
const anyDepth = 64

/** Addresses of webhooks and robots carry their key in the path or the query. */
function maskAddress(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return text
  return url.pathname === '/' && url.search === '' ? text : `${url.origin}/${mask}`
}

/** Scenes travel as JSON texts, and may name a receiver with its key. */
function maskText(text: string, deeper: number): string {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    const parsed: unknown = JSON.parse(text)
    const masked = JSON.stringify(maskValue(parsed, deeper - 1))
    // As it was sent where there is nothing to hide.
    return masked === JSON.stringify(parsed) ? text : masked
  } catch {
    return text
  }
}

/** A pair such as a header `{key: "Authorization", value}` names its secret in a value. */
const isSecret = (holder: object, name: string): boolean =>
  secretNames.test(name) ||
  (name === 'value' && 'key' in holder && typeof holder.key === 'string' && secretPairs.test(holder.key))

/** Whatever a header of a webhook is called, its value is the business of two sides only. */
const maskHeader = (header: unknown): unknown =>
  typeof header === 'object' && header !== null && 'value' in header && header.value !== ''
    ? { ...header, value: mask }
    : header

function maskMember(holder: object, name: string, member: unknown, deeper: number): unknown {
  if (isSecret(holder, name) && member !== '' && member !== undefined) return mask
  if (name === 'url' && typeof member === 'string') return maskAddress(member)
  if (name === 'headers' && Array.isArray(member)) return maskValue(member.map(maskHeader), deeper - 1)
  return maskValue(member, deeper - 1)
}

function maskValue(value: unknown, deeper: number): unknown {
  if (typeof value === 'string') return maskText(value, deeper)
  if (value === null || typeof value !== 'object') return value
  if (deeper < 0) return mask
  if (Array.isArray(value)) return value.map((item) => maskValue(item, deeper - 1))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskMember(value, key, member, deeper)]))
}

export const maskSecrets = (value: unknown): unknown => maskValue(value, anyDepth)

/** Always valid JSON, also when the original was too long and was cut (consoles parse it). */
export function toLogText(value: unknown): string {
  const text = JSON.stringify(maskValue(value ?? {}, logDepth))
  if (text.length <= maxText) return text
  return JSON.stringify({ truncated: true, length: text.length, text: text.slice(0, maxText - 100) })
}
