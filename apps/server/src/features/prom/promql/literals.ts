/** Numbers, durations and texts as Prometheus spells them. */
import { dayMs } from '@ithings/contract/durations.ts'
import { phrase } from '@ithings/contract/text.ts'
import { badData } from '../prom-error.ts'

const units: [unit: string, ms: number][] = [
  ['y', 365 * dayMs],
  ['w', 7 * dayMs],
  ['d', dayMs],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
]
const durationPattern = new RegExp(`^${units.map(([unit]) => `(?:(\\d+)${unit})?`).join('')}$`)

/** `1h30m` in ms; undefined: no duration. */
export function readDuration(text: string): number | undefined {
  const found = text === '' ? null : durationPattern.exec(text)
  if (!found) return undefined
  return units.reduce((sum, [, ms], i) => sum + Number(found[i + 1] ?? 0) * ms, 0)
}

/** Also hexadecimal, with `_` between digits, Inf and NaN, and a duration as its seconds; undefined: no number. */
export function readNumber(text: string): number | undefined {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text.trim()) ?? []
  const lower = rest.toLowerCase()
  const duration = readDuration(rest)
  const size =
    lower === 'inf'
      ? Number.POSITIVE_INFINITY
      : lower === 'nan'
        ? Number.NaN
        : duration !== undefined
          ? duration / 1000
          : /^(0x[0-9a-f]+|(\d[\d_]*)?(\.\d[\d_]*)?(e[+-]?\d+)?)$/.test(lower) && /\d/.test(lower)
            ? Number(lower.replaceAll('_', ''))
            : undefined
  return size === undefined ? undefined : sign === '-' ? -size : size
}

/** Seconds or a duration, in ms. */
export function readSeconds(text: string): number | undefined {
  const seconds = readNumber(text)
  return seconds === undefined || !Number.isFinite(seconds) ? undefined : Math.round(seconds * 1000)
}

const single: Record<string, number> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92, "'": 39, '"': 34 }
const escapes = /\\(?:([abfnrtv\\'"])|x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]|$))/g

const wrongText = (text: string) => badData(phrase('文本 {text} 的写法不对', { text }))

/** With the escapes of Go between quotation marks, and as it stands between backticks. */
export function readText(literal: string): string {
  const quote = literal[0] ?? ''
  if (literal.length < 2 || literal.at(-1) !== quote) throw wrongText(literal)
  const inside = literal.slice(1, -1)
  if (quote === '`' || !inside.includes('\\')) return inside
  const parts: Uint8Array[] = []
  const encoder = new TextEncoder()
  let after = 0
  for (const found of inside.matchAll(escapes)) {
    parts.push(encoder.encode(inside.slice(after, found.index)))
    after = found.index + found[0].length
    const [, letter, hex, octal, short, long, wrong] = found
    const byte = letter
      ? single[letter]
      : hex
        ? Number.parseInt(hex, 16)
        : octal
          ? Number.parseInt(octal, 8)
          : undefined
    const point = Number.parseInt(short ?? long ?? '', 16)
    if (wrong !== undefined || (byte === undefined && !(point <= 0x10ffff)) || (byte ?? 0) > 255)
      throw wrongText(literal)
    parts.push(byte === undefined ? encoder.encode(String.fromCodePoint(point)) : Uint8Array.of(byte))
  }
  parts.push(encoder.encode(inside.slice(after)))
  return new TextDecoder().decode(Buffer.concat(parts))
}
