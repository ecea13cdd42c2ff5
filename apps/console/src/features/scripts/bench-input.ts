/** Input of the test bench: hex for what comes in, JSON for what goes out (screens.md 4.4). */

import { ScriptDirection } from '@ithings/contract/features/scripts.ts'
import { t } from '@ithings/contract/text.ts'
import { JsonFault, readPlaces } from '@ithings/contract/thing-model/json-places.ts'

/** The contract takes no longer text. */
export const maxInput = 65_536

export type HexReading = { ok: true; hex: string; bytes: number } | { ok: false; text: string }

/** Bytes with or without 0x, blanks, commas and line ends between them. */
export function readHex(text: string): HexReading {
  const parts = text.split(/[\s,;:-]+/).filter((part) => part !== '')
  const digits = parts.map((part) => part.replace(/^0x/i, ''))
  const strange = digits.findIndex((part) => !/^[0-9a-f]*$/i.test(part))
  if (strange >= 0)
    return { ok: false, text: t('「{part}」不是十六进制', { part: (parts[strange] ?? '').slice(0, 20) }) }
  // One digit alone is a byte; a longer part must be whole bytes, else it is not clear where one ends.
  const padded = digits.map((part) => (part.length === 1 && parts.length > 1 ? `0${part}` : part))
  const odd = padded.find((part) => part.length % 2 === 1)
  if (odd !== undefined)
    return { ok: false, text: t('「{part}」缺半个字节，十六进制须成对', { part: odd.slice(0, 20) }) }
  const hex = padded.join('').toLowerCase()
  return hex === '' ? { ok: false, text: t('请输入十六进制字节') } : { ok: true, hex, bytes: hex.length / 2 }
}

/** 012aff reads 01 2a ff. */
export const spacedHex = (hex: string): string => hex.replace(/(..)(?=.)/g, '$1 ')

export const textToHex = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')

/** Why the input cannot be run, or undefined. */
export function inputProblem(direction: ScriptDirection, text: string): string | undefined {
  if (text.length > maxInput) return t('输入最长 {most, number} 个字符', { most: maxInput })
  if (direction === ScriptDirection.up) {
    const reading = readHex(text)
    return reading.ok ? undefined : reading.text
  }
  if (text.trim() === '') return t('请输入 JSON')
  try {
    readPlaces(text)
    return undefined
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault
    return t('第 {line} 行第 {column} 列：{message}', {
      line: fault.line,
      column: fault.column,
      message: fault.message,
    })
  }
}

/** As the run endpoint takes it: plain hex, or the JSON text. */
export function wireInput(direction: ScriptDirection, text: string): string {
  if (direction === ScriptDirection.down) return text
  const reading = readHex(text)
  return reading.ok ? reading.hex : text
}
