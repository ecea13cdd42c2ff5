import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { CopyButton } from '#kit/copyable.tsx'
import { Field } from '#kit/form/field.tsx'
import { StrengthMeter } from '#kit/strength-meter.tsx'
import { generatePassword } from '../generate-password.ts'

function PasswordHelp({ onGenerated }: { onGenerated: () => void }) {
  const form = Form.useFormInstance()
  const watched: unknown = Form.useWatch('password')
  const password = typeof watched === 'string' ? watched : ''
  const generate = () => {
    const made = generatePassword()
    form.setFieldsValue({ password: made, confirm: made })
    void form.validateFields(['password', 'confirm'])
    onGenerated()
  }
  return (
    <span className="password-help row gap-8">
      <StrengthMeter password={password} />
      {password && <CopyButton text={password} label="复制密码" />}
      <Button type="link" size="small" onClick={generate}>
        随机生成
      </Button>
    </span>
  )
}

/** A new password, how strong it is, and once more against slips of the finger. */
export function PasswordFields() {
  // A generated password has to be handed over, so it is shown.
  const [visible, setVisible] = useState(false)
  return (
    <>
      <Field name="password" label="密码" extra={<PasswordHelp onGenerated={() => setVisible(true)} />}>
        <Input.Password
          autoComplete="new-password"
          maxLength={64}
          placeholder="至少 8 位，含数字、大小写字母、符号中的两种"
          visibilityToggle={{ visible, onVisibleChange: setVisible }}
        />
      </Field>
      <Field
        name="confirm"
        label="确认密码"
        dependencies={['password']}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_rule, value: unknown) =>
              !value || value === getFieldValue('password')
                ? Promise.resolve()
                : Promise.reject(new Error('两次输入的密码不一致')),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={64} placeholder="再输入一次" />
      </Field>
    </>
  )
}
