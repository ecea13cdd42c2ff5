import { Button, Form, Input } from 'antd'
import { Field } from '#kit/form/field.tsx'
import { StrengthMeter } from '#kit/strength-meter.tsx'
import { generatePassword } from '../generate-password.ts'

function Strength() {
  const password: unknown = Form.useWatch('password')
  return <StrengthMeter password={typeof password === 'string' ? password : ''} />
}

/** A new password, how strong it is, and once more against slips of the finger. */
export function PasswordFields() {
  const form = Form.useFormInstance()
  const generate = () => {
    const password = generatePassword()
    form.setFieldsValue({ password, confirm: password })
    void form.validateFields(['password', 'confirm'])
  }
  return (
    <>
      <Field
        name="password"
        label="密码"
        tooltip="至少 8 位，且包含数字、小写字母、大写字母、符号中的两种"
        extra={<Strength />}
      >
        <Input.Password
          autoComplete="new-password"
          maxLength={64}
          placeholder="至少 8 位，两种以上字符"
          addonAfter={
            <Button type="link" size="small" onClick={generate}>
              随机生成
            </Button>
          }
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
