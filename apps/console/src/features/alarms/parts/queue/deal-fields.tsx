import { maxDealResult } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { Input } from 'antd'
import '../alarms.css'

/** Quick notes (screens.md 25). */
const dealTemplates: readonly string[] = ['已现场确认', '已远程停机', '传感器误报', '计划检修中']

interface DealFieldsProps {
  id: string
  value: string
  onChange: (value: string) => void
  rows?: number
  autoFocus?: boolean
  /** On its way: what were typed now would get lost. */
  disabled?: boolean
}

const templates = (): string[] => dealTemplates.map((one) => t(one))
const headOf = (template: string): string => t('{template}：{rest}', { template, rest: '' })
const templateOf = (note: string): string | undefined =>
  templates().find((one) => note === one || note.startsWith(headOf(one)))

/** A template begins the note and the rest is typed behind it; another template takes its place. */
export function withTemplate(note: string, template: string): string {
  const old = templateOf(note)
  const rest = old ? note.slice(note === old ? old.length : headOf(old).length) : note
  const next = old === template ? rest : rest ? t('{template}：{rest}', { template, rest }) : template
  return next.slice(0, maxDealResult)
}

/** What was done about it: quick notes and free text. */
export function DealFields({ id, value, onChange, rows = 2, autoFocus = false, disabled = false }: DealFieldsProps) {
  const chosen = templateOf(value)
  return (
    <div className="column gap-8">
      <div className="row wrap gap-8">
        <label className="bold" htmlFor={id}>
          {t('处理结果')}
        </label>
        {templates().map((template) => (
          <button
            key={template}
            type="button"
            className={`plain-button text-chip pad-x-8 bordered small softer ${template === chosen ? 'text-chip-on tint-fill' : ''}`}
            aria-pressed={template === chosen}
            disabled={disabled}
            onClick={() => onChange(withTemplate(value, template))}
          >
            {template}
          </button>
        ))}
      </div>
      <Input.TextArea
        id={id}
        value={value}
        rows={rows}
        maxLength={maxDealResult}
        autoFocus={autoFocus}
        disabled={disabled}
        placeholder={t('原因、处置和后续安排')}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
