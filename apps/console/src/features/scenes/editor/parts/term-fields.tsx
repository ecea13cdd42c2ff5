/** The comparison: operator by the type, then one, two or many values by the type (rules.md 3). */

import { valuesOf } from '@ithings/contract/rules/device-trigger.ts'
import { readTermValue, type TermType, termLabels, termSigns } from '@ithings/contract/rules/terms.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'
import { DatePicker, Input, InputNumber, Select } from 'antd'
import dayjs from 'dayjs'
import { rangeText } from '#blocks/model-form/define-summary.ts'
import { fitValues, termChoices, writeValues } from '../logic/term-values.ts'
import { Field } from './field.tsx'

interface Term {
  termType?: TermType | null | undefined
  values?: string | string[] | null | undefined
}

interface TermFieldsProps {
  item: string
  /** Where the term lies inside the item. */
  prefix: string
  define: Define | undefined
  term: Term
  /** Every report counts: no comparison at all. */
  allowAny?: boolean
  onChange: (term: Term) => void
}

const anyReport = 'any'

export function TermFields({ item, prefix, define, term, allowAny = false, onChange }: TermFieldsProps) {
  const { termType, values } = term
  const choices = termChoices(define, termType).map((one) => ({
    value: one as TermType | typeof anyReport,
    label: t(termSigns[one]),
    name: t(termLabels[one]),
  }))
  const options = allowAny ? [{ value: anyReport, label: t('任意上报'), name: '' } as const, ...choices] : choices
  const list = valuesOf(values)
  const write = (next: string[]) => onChange({ termType, values: writeValues(values, next) })
  const setAt = (at: number, text: string) =>
    write(
      Array.from({ length: Math.max(list.length, at + 1) }, (_, index) => (index === at ? text : (list[index] ?? ''))),
    )
  const width = 96
  return (
    <>
      <Field item={item} name={`${prefix}termType`} width={termType ? 64 : 108}>
        <Select
          aria-label={t('比较')}
          value={termType ?? (allowAny ? anyReport : null)}
          placeholder={t('比较')}
          options={options}
          popupMatchSelectWidth={false}
          optionRender={({ data }) => (
            <span className="flex between gap-12">
              <span>{data.label}</span>
              {data.name !== data.label && <span className="quiet">{data.name}</span>}
            </span>
          )}
          onChange={(next: TermType | typeof anyReport) =>
            onChange(
              next === anyReport
                ? { termType: null, values: null }
                : { termType: next, values: fitValues(values, next) },
            )
          }
        />
      </Field>
      {termType === 'in' && (
        <Field item={item} name={`${prefix}values`} width={180} grow>
          <TermList define={define} values={list} onChange={write} />
        </Field>
      )}
      {termType && termType !== 'in' && (
        <Field item={item} name={`${prefix}values`} width={width}>
          <TermValue define={define} label={t('比较值')} text={list[0] ?? ''} onChange={(text) => setAt(0, text)} />
        </Field>
      )}
      {termType === 'btw' && (
        <>
          <span className="softer nowrap">{t('至')}</span>
          <Field item={item} name={`${prefix}values`} width={width}>
            <TermValue define={define} label={t('结束值')} text={list[1] ?? ''} onChange={(text) => setAt(1, text)} />
          </Field>
        </>
      )}
    </>
  )
}

const stateOptions = (mapping: Record<string, string> = {}) =>
  Object.entries(mapping)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([value, label]) => ({ value, label: `${value} ${label}` }))

/** Existing scenes write true, 1, T …; the switch has two states. */
const boolKey = (text: string): string => {
  const value = readTermValue(DataType.bool, text)
  return value === undefined ? text : value ? '1' : '0'
}

interface TermValueProps {
  define: Define | undefined
  label: string
  text: string
  onChange: (text: string) => void
}

/** One value of a comparison. It travels as text, whatever its type. */
function TermValue({ define, label, text, onChange }: TermValueProps) {
  switch (define?.type) {
    case DataType.int:
    case DataType.float:
      return (
        <InputNumber<string>
          stringMode
          aria-label={label}
          className="wide"
          status={text === '' || readTermValue(define.type, text) !== undefined ? '' : 'warning'}
          value={text}
          step={define.step ?? '1'}
          // As it was written: 80, not 80.0 because of the step.
          formatter={(value) => String(value ?? '')}
          suffix={define.unit}
          placeholder={rangeText({ ...define, unit: '' })}
          onChange={(value) => onChange(value === null ? '' : String(value))}
        />
      )
    case DataType.enum:
      return (
        <Select
          aria-label={label}
          placeholder={t('选择取值')}
          popupMatchSelectWidth={false}
          value={text || null}
          options={stateOptions(define.mapping)}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={onChange}
        />
      )
    case DataType.bool:
      return (
        <Select
          aria-label={label}
          placeholder={t('选择状态')}
          popupMatchSelectWidth={false}
          value={text === '' ? null : boolKey(text)}
          options={stateOptions(define.mapping)}
          onChange={(key) => onChange(key === '1' ? 'true' : 'false')}
        />
      )
    case DataType.timestamp:
      return (
        <DatePicker
          aria-label={label}
          className="wide"
          showTime
          value={text === '' || Number.isNaN(Number(text)) ? null : dayjs.unix(Number(text))}
          onChange={(time) => onChange(time ? String(time.unix()) : '')}
        />
      )
    default:
      return (
        <Input
          aria-label={label}
          maxLength={256}
          placeholder={t('比较值')}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}

interface TermListProps {
  define: Define | undefined
  values: string[]
  onChange: (values: string[]) => void
}

/** Any of these: states are chosen, everything else is typed and parted by blanks or commas. */
function TermList({ define, values, onChange }: TermListProps) {
  const states = define?.type === DataType.enum
  return (
    <Select
      aria-label={t('取值列表')}
      mode={states ? 'multiple' : 'tags'}
      className="wide"
      placeholder={states ? t('选择取值') : t('输入后回车，可多个')}
      maxCount={100}
      // not a text: people part values by either comma
      tokenSeparators={[',', '，', ' ', ';']}
      value={values.filter((one) => one !== '')}
      options={states ? stateOptions(define.mapping) : []}
      onChange={onChange}
    />
  )
}
