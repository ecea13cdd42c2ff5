/** Log texts never hold secrets: members with a telling name are masked at any depth, long texts are cut. */
const secretNames =
  /pass(word|wd)?$|pwd$|secret|token|psk|accesskey|authorization|signature|privatekey|secondcode|recoverycodes/i
const secretPairs = /pass(word|wd)?$|pwd$|secret|token|key$|cookie|authorization|signature/i
const mask = '******'
const maxText = 8_192
const maxDepth = 12

/** Addresses of webhooks and robots carry their key in the path or the query. */
function maskAddress(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return text
  return url.pathname === '/' && url.search === '' ? text : `${url.origin}/${mask}`
}

/** Scenes travel as JSON texts, and may name a receiver with its key. */
function maskText(text: string, depth: number): string {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    const parsed: unknown = JSON.parse(text)
    const masked = JSON.stringify(maskValue(parsed, depth + 1))
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

function maskMember(holder: object, name: string, member: unknown, depth: number): unknown {
  if (isSecret(holder, name) && member !== '' && member !== undefined) return mask
  if (name === 'url' && typeof member === 'string') return maskAddress(member)
  if (name === 'headers' && Array.isArray(member)) return maskValue(member.map(maskHeader), depth + 1)
  return maskValue(member, depth + 1)
}

function maskValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskText(value, depth)
  if (value === null || typeof value !== 'object') return value
  if (depth > maxDepth) return mask
  if (Array.isArray(value)) return value.map((item) => maskValue(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskMember(value, key, member, depth)]))
}

/** Always valid JSON, also when the original was cut (consoles parse it). */
export function toLogText(value: unknown): string {
  const text = JSON.stringify(maskValue(value ?? {}, 0))
  if (text.length <= maxText) return text
  return JSON.stringify({ truncated: true, length: text.length, text: text.slice(0, maxText - 100) })
}
