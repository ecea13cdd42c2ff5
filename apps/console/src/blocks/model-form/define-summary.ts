/** A definition in one line for tables (screens.md 4.2 "数据定义"): what matters first, the rest as detail. */
import { DataType, type Define, dataTypeLabels, type Param } from '@ithings/contract/thing-model/define.ts'
import { maxNumber } from '@ithings/contract/thing-model/limits.ts'
import { labelOf } from '#kit/status-tag.tsx'

export interface Summary {
  main: string
  detail?: string
}

const shownItems = 5

/** 99999999 reads as 99,999,999; decimals stay as they were written. */
function groupDigits(text: string): string {
  const [whole = '', ...rest] = text.split('.')
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, ','), ...rest].join('.')
}

/** The ends of the number line stand for "no limit" (thing-model.md 2: clamped). */
export const isNoLimit = (text: string | undefined): boolean =>
  text === undefined || text === '' || Math.abs(Number(text)) >= maxNumber

const withUnit = (text: string, unit: string | undefined): string => (unit ? `${text} ${unit}` : text)

export function rangeText({ min, max, unit }: Pick<Define, 'min' | 'max' | 'unit'>): string {
  if (isNoLimit(min) && isNoLimit(max)) return unit ? `不限范围，${unit}` : '不限范围'
  if (isNoLimit(max)) return withUnit(`≥ ${groupDigits(min ?? '')}`, unit)
  if (isNoLimit(min)) return withUnit(`≤ ${groupDigits(max ?? '')}`, unit)
  return withUnit(`${groupDigits(min ?? '')}–${groupDigits(max ?? '')}`, unit)
}

function summariseNumber(define: Define): Summary {
  const parts = [
    define.step === undefined ? '' : `步长 ${define.step}`,
    define.start === undefined || Number(define.start) === 0 ? '' : `初始值 ${define.start}`,
  ].filter(Boolean)
  return { main: rangeText(define), ...(parts.length > 0 && { detail: parts.join('，') }) }
}

function summariseMapping(mapping: Record<string, string> = {}): Summary {
  const items = Object.entries(mapping)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([key, label]) => `${key} ${label}`)
  const main = items.slice(0, shownItems).join(' / ')
  return items.length > shownItems ? { main, detail: `共 ${items.length} 项` } : { main }
}

const named = (items: ReadonlyArray<{ identifier: string }>): string => items.map((one) => one.identifier).join(', ')

export function summariseDefine(define: Define): Summary {
  switch (define.type) {
    case DataType.bool:
    case DataType.enum:
      return summariseMapping(define.mapping)
    case DataType.int:
    case DataType.float:
      return summariseNumber(define)
    case DataType.string:
      return { main: `最长 ${groupDigits(define.max ?? '')} 字节` }
    case DataType.timestamp:
      return { main: 'UTC 秒' }
    case DataType.struct:
      return { main: `${define.specs?.length ?? 0} 个成员`, detail: named(define.specs ?? []) }
    case DataType.array:
      return summariseArray(define.arrayInfo)
  }
}

function summariseArray(element: Define | undefined): Summary {
  if (!element) return { main: '未定义元素' }
  const { main, detail } = summariseDefine(element)
  return {
    main: `${labelOf(dataTypeLabels, element.type)}元素`,
    detail: [main, detail].filter(Boolean).join('，'),
  }
}

export const summariseParams = (params: readonly Param[]): Summary =>
  params.length === 0 ? { main: '无参数' } : { main: `${params.length} 个参数`, detail: named(params) }

export const summaryText = ({ main, detail }: Summary): string => (detail ? `${main}，${detail}` : main)
