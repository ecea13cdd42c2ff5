/** The control of one field of a target. */
import { secretMask } from '@ithings/contract/features/forwarding/targets.ts'
import { t } from '@ithings/contract/text.ts'
import { Checkbox, Input, InputNumber, Radio, Switch } from 'antd'
import { useState } from 'react'
import { translated } from '#blocks/translated.ts'
import type { TargetFieldSpec } from '../target-specs.ts'

interface SecretInputProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
  /** One is stored: the mask stands for it, and sent back it stays. */
  saved: boolean
}

function SecretInput({ id, value = '', onChange, saved }: SecretInputProps) {
  const [clear, setClear] = useState(false)
  const shown = value === secretMask ? '' : value
  return (
    <div className="column gap-4">
      <Input.Password
        {...(id && { id })}
        autoComplete="new-password"
        maxLength={1_024}
        disabled={clear}
        value={shown}
        placeholder={saved && !clear ? t('已保存，留空则不修改') : t('未设置')}
        onChange={(event) => onChange?.(event.target.value === '' && saved ? secretMask : event.target.value)}
      />
      {saved && (
        <Checkbox
          checked={clear}
          onChange={({ target }) => {
            setClear(target.checked)
            onChange?.(target.checked ? '' : secretMask)
          }}
        >
          {t('清除已保存的密钥')}
        </Checkbox>
      )}
    </div>
  )
}

interface TargetInputProps {
  spec: TargetFieldSpec
  saved: boolean
  /** Given by the form. */
  id?: string
  value?: unknown
  checked?: boolean
  onChange?: (value: unknown) => void
}

export function TargetInput({ spec, saved, ...given }: TargetInputProps) {
  const { control, example, options = [], min, max } = spec
  const { onChange, ...state } = given as Pick<TargetInputProps, 'onChange'> & Record<string, never>
  const placed = { ...state, ...(onChange && { onChange }) }
  switch (control) {
    case 'secret':
      return <SecretInput {...placed} saved={saved} />
    case 'number':
      return (
        <InputNumber
          {...placed}
          min={min ?? 0}
          max={max ?? Number.MAX_SAFE_INTEGER}
          precision={0}
          style={{ width: 160 }}
        />
      )
    case 'switch':
      return <Switch {...placed} />
    case 'choice':
      return <Radio.Group {...placed} options={translated(options)} />
    case 'pem':
      return <Input.TextArea {...placed} className="mono" placeholder={example} autoSize={{ minRows: 2, maxRows: 8 }} />
    default:
      return (
        <Input
          {...placed}
          className={control === 'mono' ? 'mono' : ''}
          placeholder={example}
          autoComplete="off"
          spellCheck={false}
        />
      )
  }
}
