/** The shown history as a file: one line a value, so that any number of devices and properties fits. Pure. */

import { type ArgFunc, argFuncLabels, type PropertyLogRow } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { describeValue, parseValue } from '#blocks/typed-value/value-text.ts'
import { toCsv } from '#kit/list-page/csv.ts'
import { formatTime, logFormat } from '#kit/time.ts'
import { funcFor } from './history-plan.ts'

export interface CsvInput {
  rows: readonly PropertyLogRow[]
  properties: readonly Property[]
  /** undefined: raw values. */
  func: ArgFunc | undefined
}

const columns = ['时间', '设备名称', '属性', '标识符', '统计', '值', '单位', '原始值']

/** Cells that a spreadsheet would run as a formula are made plain by toCsv. */
export function historyCsv({ rows, properties, func }: CsvInput): string {
  const known = new Map(properties.map((property) => [property.identifier, property]))
  const lines = rows.flatMap((row) => {
    const property = known.get(row.dataID)
    if (!property) return []
    const own = func && funcFor(property, func)
    const text = (own && row.values?.[own]) ?? row.value
    const value = parseValue(property.define, text)
    const counted = own === 'count'
    return [
      [
        formatTime(row.timestamp, logFormat),
        row.deviceName,
        property.name,
        property.identifier,
        own ? t(argFuncLabels[own]) : t('原始'),
        counted ? text : typeof value === 'number' && !property.define.mapping ? value : describeWords(property, value),
        counted ? t('条') : (property.define.unit ?? ''),
        text,
      ],
    ]
  })
  return toCsv([columns.map((title) => t(title)), ...lines])
}

const describeWords = (property: Property, value: unknown): string =>
  value === undefined ? '' : describeValue(property.define, value)
