/** The comparison: operator by the type, then one, two or many values by the type (rules.md 3). */
import { valuesOf } from '@ithings/contract/rules/scene-parts.ts'
import { type TermType, termLabels, termSigns } from '@ithings/contract/rules/terms.ts'
import type { Define } from '@ithings/contract/thing-model/define.ts'
import { Select } from 'antd'
import { fitValues, termChoices, writeValues } from '../logic/term-values.ts'
import { Field } from './field.tsx'
import { TermList, TermValue } from './term-value.tsx'

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
    label: termSigns[one],
    name: termLabels[one],
  }))
  const options = allowAny ? [{ value: anyReport, label: '任意上报', name: '' } as const, ...choices] : choices
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
          aria-label="比较"
          value={termType ?? (allowAny ? anyReport : null)}
          placeholder="比较"
          options={options}
          popupMatchSelectWidth={false}
          optionRender={({ data }) => (
            <span className="picker-option">
              <span>{data.label}</span>
              {data.name !== data.label && <span className="picker-hint">{data.name}</span>}
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
          <TermValue define={define} label="比较值" text={list[0] ?? ''} onChange={(text) => setAt(0, text)} />
        </Field>
      )}
      {termType === 'btw' && (
        <>
          <span className="scene-word">至</span>
          <Field item={item} name={`${prefix}values`} width={width}>
            <TermValue define={define} label="结束值" text={list[1] ?? ''} onChange={(text) => setAt(1, text)} />
          </Field>
        </>
      )}
    </>
  )
}
