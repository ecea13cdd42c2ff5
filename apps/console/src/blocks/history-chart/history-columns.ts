/** Values of properties as the columns of a file. Pure. */
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { isNumeric, isState } from '#blocks/typed-value/value-text.ts'

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
export function historyColumns(properties: readonly Property[]): ExportColumn[] {
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
