import { maxDealResult } from '@ithings/contract/features/alarms/record.ts'
import { Input } from 'antd'
import { dealTemplates } from '../../labels.ts'
import './deal-fields.css'

interface DealFieldsProps {
  id: string
  value: string
  onChange: (value: string) => void
  rows?: number
  autoFocus?: boolean
  /** On its way: what were typed now would get lost. */
  disabled?: boolean
}

/** A template begins the note and the rest is typed behind it; another template takes its place. */
export function withTemplate(note: string, template: string): string {
  const old = dealTemplates.find((one) => note === one || note.startsWith(`${one}：`))
  const rest = old ? note.slice(old.length).replace(/^：/, '') : note
  const next = old === template ? rest : rest ? `${template}：${rest}` : template
  return next.slice(0, maxDealResult)
}

/** What was done about it: quick notes and free text. */
export function DealFields({ id, value, onChange, rows = 2, autoFocus = false, disabled = false }: DealFieldsProps) {
  const chosen = dealTemplates.find((one) => value === one || value.startsWith(`${one}：`))
  return (
    <div className="deal-fields column gap-8">
      <div className="deal-templates row wrap gap-8">
        <label htmlFor={id}>处理结果</label>
        {dealTemplates.map((template) => (
          <button
            key={template}
            type="button"
            className={
              template === chosen ? 'plain-button deal-template deal-template-on' : 'plain-button deal-template'
            }
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
        placeholder="原因、处置和后续安排"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
