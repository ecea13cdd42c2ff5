/** What upgrades, device tasks and configuration pushes count, filter and call alike. Pure. */

import { t } from '@ithings/contract/text.ts'
import type { FilterField, ListCounter } from '#kit/list-page/list-contract.ts'
import type { StatusLook, StatusLooks, StatusTone } from '#kit/status-tag.tsx'
import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'
import { translated } from '../translated.ts'

export const optionsOf = <V extends number>(
  labels: Readonly<Record<V, string>>,
  values: readonly V[] = Object.keys(labels).map((key) => Number(key) as V),
): { value: V; label: string }[] => values.map((value) => ({ value, label: labels[value] ?? String(value) }))

/** The same where they are drawn, in the language of who reads them. */
export const choicesOf = <V extends number>(labels: Readonly<Record<V, string>>): { value: V; label: string }[] =>
  translated(optionsOf(labels))

export const selectField = (
  name: string,
  label: string,
  labels: Readonly<Record<number, string>>,
  width = 112,
): FilterField => ({ name, label, control: 'select', options: optionsOf(labels), width })

/** @param rings states in which nothing has happened yet */
export const looksOf = <V extends number>(
  labels: Readonly<Record<V, string>>,
  tones: Readonly<Record<NoInfer<V>, StatusTone>>,
  rings: readonly NoInfer<V>[] = [],
): StatusLooks =>
  Object.fromEntries(
    optionsOf(labels).map(({ value, label }): [number, StatusLook] => [
      value,
      { text: label, tone: tones[value], ...(rings.includes(value) && { ring: true }) },
    ]),
  )

interface Counted {
  looks: StatusLooks
  /** The states in the order shown, each with its devices or tasks; undefined while they are read. */
  counts: readonly (readonly [state: number, count: number | undefined])[]
  total: number | undefined
  /** The filter that a figure sets. */
  field?: string
  all?: string
}

/** The figures above a list; each filters by its state. */
export const stateCounters = ({ looks, counts, total, field = 'status', all = t('全部') }: Counted): ListCounter[] => [
  { key: 'all', label: all, value: total, filter: {} },
  ...counts.map(([state, value]) => ({
    key: String(state),
    label: t(looks[state]?.text ?? String(state)),
    value,
    tone: looks[state]?.tone ?? ('default' as const),
    ring: looks[state]?.ring ?? false,
    filter: { [field]: String(state) },
  })),
]

/** Seconds, as http-api.md 7 has them; an open end is left out. */
export function secondsRange(time: TimeChoice | undefined): { timeStart?: number; timeEnd?: number } {
  if (!time) return {}
  const { timeStart, timeEnd } = resolveTime(time)
  const end = Number(timeEnd)
  return { timeStart: Math.floor(Number(timeStart) / 1000), ...(end > 0 && { timeEnd: Math.ceil(end / 1000) }) }
}
