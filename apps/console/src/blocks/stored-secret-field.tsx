import { t } from '@ithings/contract/text.ts'
import { Checkbox, Form, Input } from 'antd'
import { Field } from '#kit/form/field.tsx'
import './stored-secret-field.css'

interface StoredSecretFieldProps {
  label: string
  extra: string
  maxLength: number
  /** One is stored. */
  saved: boolean
}

/** `secret`, which is stored and never shown: left empty it stays. One that is stored can be taken away: `clearSecret`. */
export function StoredSecretField({ label, extra, maxLength, saved }: StoredSecretFieldProps) {
  const clear = Form.useWatch('clearSecret') === true
  return (
    <>
      <Field name="secret" label={label} extra={extra}>
        <Input.Password
          autoComplete="new-password"
          maxLength={maxLength}
          disabled={saved && clear}
          placeholder={saved && !clear ? t('已保存，留空则不修改') : t('未设置')}
        />
      </Field>
      {saved && (
        <Form.Item name="clearSecret" valuePropName="checked" className="clear-secret">
          <Checkbox>{t('清除已保存的密钥')}</Checkbox>
        </Form.Item>
      )}
    </>
  )
}
