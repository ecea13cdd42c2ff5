/** Comings and goings of a device: how long each session lasted, and whether it flaps (screens.md 6.6). Pure. */

import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { objectOf } from '#kit/json-object.ts'
import { durationText } from '../alarm-records/record-words.ts'
import { shownContent } from './shown-content.ts'

const isConnect = (row: HubLogRow) => row.action === 'connected'
const keyOf = ({ productID, deviceName }: HubLogRow) => `${productID}/${deviceName}`

/** What the platform measured itself, in milliseconds. */
function measured(content: string): number | undefined {
  const { seconds } = objectOf(content)
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}

/** Newest first. The length of the session that ended with a row, by its trace id; unknown when it began elsewhere. */
export function sessionLengths(rows: readonly HubLogRow[]): ReadonlyMap<string, number> {
  const began = new Map<string, number>()
  const lengths = new Map<string, number>()
  for (const row of rows.toReversed()) {
    const at = Number(row.timestamp)
    if (isConnect(row)) {
      began.set(keyOf(row), at)
      continue
    }
    const start = began.get(keyOf(row))
    const length = start === undefined ? measured(row.content) : at - start
    if (length !== undefined) lengths.set(row.tranceID, length)
    began.delete(keyOf(row))
  }
  return lengths
}

const words: Readonly<Record<string, string>> = { ip: 'IP', clientID: '客户端' }
/** Shown as the length of the session; of interest only when a device is missed. */
const untold = new Set(['seconds', 'expiresAt'])

/** Why a session ended or where it came from, as people read it. */
export function reasonText({ content, msg }: Pick<HubLogRow, 'content' | 'msg'>): string {
  if (msg) return msg
  const told = shownContent(content)
  if (typeof told === 'string') return told
  return Object.entries(told)
    .filter(([key, value]) => value !== '' && !untold.has(key))
    .map(([key, value]) => (key === 'reason' ? String(value) : `${t(words[key] ?? key)} ${String(value)}`))
    .join(' · ')
}

const flapWindow = 10 * 60_000
export const flapCount = 5

/** Devices that connected five times or more within ten minutes, with the most they did. */
export function flapping(rows: readonly HubLogRow[]): { deviceName: string; times: number }[] {
  const connects = new Map<string, number[]>()
  for (const row of rows.filter(isConnect)) {
    const times = connects.get(row.deviceName) ?? []
    times.push(Number(row.timestamp))
    connects.set(row.deviceName, times)
  }
  return [...connects].flatMap(([deviceName, times]) => {
    const sorted = times.toSorted((one, other) => one - other)
    const most = Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + flapWindow).length))
    return most >= flapCount ? [{ deviceName, times: most }] : []
  })
}

/** 3 小时 20 分: the two largest units. */
export const lengthText = (ms: number): string =>
  ms < 1000 ? t('{count} 毫秒', { count: Math.max(0, Math.round(ms)) }) : durationText(ms)
