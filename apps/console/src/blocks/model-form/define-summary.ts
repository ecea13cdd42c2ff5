/** A definition in one line for tables (screens.md 4.2 "数据定义"): what matters first, the rest as detail. */
import { t } from '@ithings/contract/text.ts'
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
  if (isNoLimit(min) && isNoLimit(max)) return unit ? t('不限范围，{unit}', { unit }) : t('不限范围')
  if (isNoLimit(max)) return withUnit(`≥ ${groupDigits(min ?? '')}`, unit)
  if (isNoLimit(min)) return withUnit(`≤ ${groupDigits(max ?? '')}`, unit)
  return withUnit(`${groupDigits(min ?? '')}–${groupDigits(max ?? '')}`, unit)
}

function summariseNumber(define: Define): Summary {
  const parts = [
    define.step === undefined ? '' : t('步长 {step}', { step: define.step }),
    define.start === undefined || Number(define.start) === 0 ? '' : t('初始值 {value}', { value: define.start }),
  ].filter(Boolean)
  return { main: rangeText(define), ...(parts.length > 0 && { detail: parts.join(t('，')) }) }
}

function summariseMapping(mapping: Record<string, string> = {}): Summary {
  const items = Object.entries(mapping)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([key, label]) => `${key} ${label}`)
  const main = items.slice(0, shownItems).join(' / ')
  return items.length > shownItems ? { main, detail: t('共 {count} 项', { count: items.length }) } : { main }
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
      return { main: t('最长 {max} 字节', { max: groupDigits(define.max ?? ''), context: 'hint' }) }
    case DataType.timestamp:
      return { main: t('UTC 秒') }
    case DataType.struct:
      return { main: t('{count} 个成员', { count: define.specs?.length ?? 0 }), detail: named(define.specs ?? []) }
    case DataType.array:
      return summariseArray(define.arrayInfo)
  }
}

function summariseArray(element: Define | undefined): Summary {
  if (!element) return { main: t('未定义元素') }
  const { main, detail } = summariseDefine(element)
  return {
    main: t('{type}元素', { type: labelOf(dataTypeLabels, element.type) }),
    detail: [main, detail].filter(Boolean).join(t('，')),
  }
}

export const summariseParams = (params: readonly Param[]): Summary =>
  params.length === 0
    ? { main: t('无参数') }
    : { main: t('{count} 个参数', { count: params.length }), detail: named(params) }

export const summaryText = ({ main, detail }: Summary): string =>
  detail ? t('{main}，{detail}', { main, detail }) : main
