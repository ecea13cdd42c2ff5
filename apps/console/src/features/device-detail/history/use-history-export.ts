import { listPropertyLog } from '@ithings/contract/features/history.ts'
import type { TableFormat } from '@ithings/contract/features/jobs.ts'
import { historyColumns } from '#blocks/history-chart/history-columns.ts'
import { useTableExport } from '#kit/exporting.ts'
import type { PropertyLogBody } from '../live-queries.ts'
import { type HistoryChoice, isDrawable, planHistory } from './history-plan.ts'

/** Texts and groups are exported too, though they are not drawn. */
export function bodiesOf(choice: HistoryChoice, now: number): PropertyLogBody[] {
  const plan = planHistory(choice, now)
  const rest = choice.properties.filter((property) => !isDrawable(property)).map(({ identifier }) => identifier)
  const raw = {
    productID: choice.productID,
    deviceNames: [...choice.deviceNames],
    dataIDs: rest,
    timeStart: plan.from,
    timeEnd: plan.to,
  }
  return rest.length > 0 ? [...plan.requests, raw] : plan.requests
}

/** What is shown, written by the server. */
export function useHistoryExport(choice: HistoryChoice, title: string): (format: TableFormat) => void {
  const exportTable = useTableExport()
  return (format) => {
    const source = { path: listPropertyLog.path, bodies: bodiesOf(choice, Date.now()) }
    exportTable({ title, format, columns: historyColumns(choice.properties), source })
  }
}
