/** A message in half a line, for lists: what it carries, not how it is wrapped. Pure. */

import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'
import { reasonText } from '../log-table/sessions.ts'
import { shownContent } from '../log-table/shown-content.ts'

const envelope = new Set(['method', 'clientToken', 'msgToken', 'timestamp', 'code', 'status', 'msg', 'version', 'sys'])
const bodies = ['params', 'data', 'response', 'payload'] as const
const shownMembers = 2
const shownText = 40

const cut = (text: string) => (text.length > shownText ? `${text.slice(0, shownText)}…` : text)

function valueText(value: unknown): string {
  // Packed values carry their time beside them.
  if (isRecord(value) && 'value' in value) return valueText(value.value)
  return cut(typeof value === 'string' ? value : JSON.stringify(value))
}

function bodyOf(message: Record<string, unknown>): Record<string, unknown> {
  const named = bodies.map((key) => message[key]).find(isRecord)
  const rest = Object.fromEntries(Object.entries(message).filter(([key]) => !envelope.has(key)))
  if (!named) return rest
  const { params: _p, data: _d, response: _r, payload: _y, ...own } = rest
  return { ...own, ...named }
}

/** `level 2.4，freq 42.5 等 6 项`; text that is no JSON as it is. */
export function summaryOf(content: string): string {
  const told = shownContent(content)
  if (typeof told === 'string') return cut(told)
  const members = Object.entries(bodyOf(told))
  const words = members.slice(0, shownMembers).map(([key, value]) => `${key} ${valueText(value)}`)
  const more = members.length > shownMembers ? t(' 等 {count} 项', { count: members.length }) : ''
  return `${words.join(t('，'))}${more}`
}

/** Comings and goings tell their reason, messages what they carry. */
export const lineText = (row: HubLogRow): string => (row.method === '' ? reasonText(row) : summaryOf(row.content))
