/** An imported document before it is sent: the server reads it with the same function, so both say the same. */
import { t } from '@ithings/contract/text.ts'
import { JsonFault, readPlaces } from '@ithings/contract/thing-model/json-places.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'

export interface TslIssue {
  line: number
  /** Of JSON that cannot be read. */
  column?: number
  path: string
  text: string
}

export type TslCheck = { ok: true; model: ThingModel } | { ok: false; issues: TslIssue[] }

/** importTsl takes no longer text. */
export const maxTslLength = 900_000

function jsonFault(text: string): JsonFault | undefined {
  try {
    readPlaces(text.replace(/^\uFEFF/, ''))
    return undefined
  } catch (fault) {
    if (fault instanceof JsonFault) return fault
    throw fault
  }
}

export function checkTsl(text: string): TslCheck {
  if (text.length > maxTslLength) {
    const issue = t('文件最长 {most, number} 个字符，收到 {length, number} 个', {
      most: maxTslLength,
      length: text.length,
    })
    return { ok: false, issues: [{ line: 1, path: '', text: issue }] }
  }
  const fault = jsonFault(text)
  if (fault) {
    const { line, column, message } = fault
    return { ok: false, issues: [{ line, column, path: '', text: t('不是有效的 JSON：{message}', { message }) }] }
  }
  const { model, issues } = readTslText(text)
  if (issues.length === 0) return { ok: true, model }
  return { ok: false, issues: issues.map((issue) => ({ path: issue.path, text: issue.text, line: issue.line ?? 1 })) }
}

export const isEmptyModel = ({ properties, events, actions }: ThingModel): boolean =>
  properties.length + events.length + actions.length === 0
