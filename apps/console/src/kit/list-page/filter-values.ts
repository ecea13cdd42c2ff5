import { t } from '@ithings/contract/text.ts'
import { stateText } from '#kit/status-tag.tsx'
import { describeTimeChoice, parseTimeChoice, type TimeChoice } from '#kit/time-choice.ts'
import type { FilterField } from './list-contract.ts'

/** Filter values as the URL holds them: one string a field. */
export type FilterTexts = Record<string, string>

/** What a fresh page filters by. */
export const initialTexts = (fields: readonly FilterField[]): FilterTexts =>
  Object.fromEntries(fields.flatMap((field) => (field.initial === undefined ? [] : [[field.name, field.initial]])))

export type FilterValue = string | number | TimeChoice | undefined

/** The URL's string as the screen's query wants it; undefined when empty or unreadable. */
export function readFilter(field: FilterField, text: string | undefined): FilterValue {
  if (text === undefined || text === '') return undefined
  switch (field.control) {
    case 'select':
      return field.options?.find((option) => String(option.value) === text)?.value ?? (field.options ? undefined : text)
    case 'time':
    case 'date-range':
      return parseTimeChoice(text)
    case 'text':
    case 'custom':
      return text
  }
}

export function readFilters(fields: readonly FilterField[], texts: FilterTexts): Record<string, FilterValue> {
  return Object.fromEntries(fields.map((field) => [field.name, readFilter(field, texts[field.name])]))
}

export interface ActiveFilter {
  name: string
  label: string
  text: string
}

/** What is filtered by, in words: for the tags of the no-match state. */
export function activeFilters(fields: readonly FilterField[], texts: FilterTexts): ActiveFilter[] {
  return fields.flatMap((field) => {
    const raw = texts[field.name]
    const value = readFilter(field, raw)
    if (value === undefined || raw === undefined || raw === field.initial) return []
    return [{ name: field.name, label: t(field.label), text: describeFilter(field, value, raw) }]
  })
}

function describeFilter(field: FilterField, value: FilterValue, raw: string): string {
  if (typeof value === 'object') return describeTimeChoice(value)
  if (field.describe) return field.describe(raw)
  return stateText(field.options?.find((option) => option.value === value)?.label ?? String(value))
}
