import { listPropertyLog } from '@ithings/contract/features/history.ts'
import type { ExportColumn, TableFormat } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { isNumeric, isState } from '#blocks/typed-value/value-text.ts'
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

/** A switch travels as JSON, its words stand under 0 and 1. */
const spelt = ({ type }: Define, key: string): string => (type === DataType.bool ? String(key === '1') : key)

const wordsOf = (properties: readonly Property[]): Record<string, string> =>
  Object.fromEntries(
    properties
      .filter(({ define }) => isState(define))
      .flatMap(({ identifier, define }) =>
        Object.entries(define.mapping ?? {}).map(([key, word]) => [`${identifier}:${spelt(define, key)}`, word]),
      ),
  )

/** One line a value, so that any number of devices and properties fits. */
export function historyColumns({ properties }: Pick<HistoryChoice, 'properties'>): ExportColumn[] {
  const byID = (text: (property: Property) => string) =>
    Object.fromEntries(properties.map((property) => [property.identifier, text(property)]))
  // Numbers alone make a column of numbers; words make one of text.
  const numbers = properties.every(({ define }) => isNumeric(define))
  return [
    { key: 'timestamp', head: t('时间'), type: 'time' },
    { key: 'deviceName', head: t('设备名称') },
    { key: 'dataID', head: t('属性'), labels: byID(({ name }) => name) },
    { key: 'dataID', head: t('标识符') },
    { key: 'value', head: t('值'), ...(numbers ? { type: 'number' } : { per: 'dataID', labels: wordsOf(properties) }) },
    { key: 'dataID', head: t('单位'), labels: byID(({ define }) => define.unit ?? '') },
  ]
}

/** What is shown, written by the server. */
export function useHistoryExport(choice: HistoryChoice, title: string): (format: TableFormat) => void {
  const exportTable = useTableExport()
  return (format) => {
    const source = { path: listPropertyLog.path, bodies: bodiesOf(choice, Date.now()) }
    exportTable({ title, format, columns: historyColumns(choice), source })
  }
}
