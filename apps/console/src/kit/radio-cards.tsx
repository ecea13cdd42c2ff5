import { t } from '@ithings/contract/text.ts'
import { Radio } from 'antd'
import type { ReactNode } from 'react'
import './radio-cards.css'

export interface RadioCard<T extends string | number> {
  value: T
  title: string
  text?: ReactNode
  disabled?: boolean
}

interface RadioCardsProps<T extends string | number> {
  value: T | undefined
  onChange: (value: T) => void
  options: readonly RadioCard<T>[]
  'aria-label': string
  disabled?: boolean
}

/** One of a few ways, each with a sentence of its own. */
export function RadioCards<T extends string | number>(props: RadioCardsProps<T>) {
  const { value, onChange, options, disabled } = props
  return (
    <Radio.Group
      className="grid gap-12 wide"
      style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(200px, 1fr))' }}
      aria-label={props['aria-label']}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value as T)}
    >
      {options.map((option) => (
        <Radio
          key={option.value}
          value={option.value}
          className={option.value === value ? 'radio-card radio-card-on' : 'radio-card'}
          classNames={{ label: 'column' }}
          styles={{ icon: { alignSelf: 'flex-start', marginTop: 3 }, label: { paddingInlineEnd: 0 } }}
          disabled={disabled || option.disabled}
        >
          <span className="bold">{t(option.title)}</span>
          {option.text && (
            <span className="line-20 small quiet">
              {typeof option.text === 'string' ? t(option.text) : option.text}
            </span>
          )}
        </Radio>
      ))}
    </Radio.Group>
  )
}
