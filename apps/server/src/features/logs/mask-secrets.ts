/** Log texts never hold secrets: members with a telling name are masked at any depth, long texts are cut. */
const secretNames = /pass(word|wd)?$|pwd$|secret|token|psk|accesskey|authorization|signature|privatekey/i
const mask = '******'
const maxText = 8_192
const maxDepth = 12

function maskValue(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== 'object') return value
  if (depth > maxDepth) return mask
  if (Array.isArray(value)) return value.map((item) => maskValue(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      secretNames.test(key) && member !== '' && member !== undefined ? mask : maskValue(member, depth + 1),
    ]),
  )
}

/** Always valid JSON, also when the original was cut (consoles parse it). */
export function toLogText(value: unknown): string {
  const text = JSON.stringify(maskValue(value ?? {}, 0))
  if (text.length <= maxText) return text
  return JSON.stringify({ truncated: true, length: text.length, text: text.slice(0, maxText - 100) })
}
