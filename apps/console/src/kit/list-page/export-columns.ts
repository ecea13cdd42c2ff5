import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { stateText } from '#kit/status-tag.tsx'
import type { ListColumn } from './list-contract.ts'

/** Moments of the wire have such names, however a list draws them. */
const isTime = /(Time|Login|Alarm|^timestamp)$/

const wordsOf = ({
  looks,
  labels,
}: Pick<ListColumn<never>, 'looks' | 'labels'>): Record<string, string> | undefined => {
  const words = labels ?? (looks && Object.fromEntries(Object.entries(looks).map(([key, { text }]) => [key, text])))
  return words && Object.fromEntries(Object.entries(words).map(([key, text]) => [key, stateText(text)]))
}

/** The columns that are on screen, in their order, by the fields of a row. @param row one of them, to see what there is */
export const exportColumns = <T extends object>(
  columns: readonly ListColumn<T>[],
  row: T | undefined,
): ExportColumn[] =>
  columns.flatMap((column): ExportColumn[] => {
    const { exportText, fields, dataIndex, key: named, title, time } = column
    if (exportText === false) return []
    if (fields) return Object.entries(fields).map(([key, head]) => ({ key, head: t(head) }))
    const key = dataIndex ?? named
    // What is worked out of several fields has no field of its own.
    if (row && !(key in row)) return []
    const labels = wordsOf(column)
    const kind = labels ? { labels } : time || isTime.test(key) ? { type: 'time' as const } : {}
    return [{ key, head: t(title), ...kind }]
  })
