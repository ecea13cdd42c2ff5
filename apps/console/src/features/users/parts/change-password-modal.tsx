import { changeOwnPassword, changeOwnPasswordBody, PasswordType } from '@ithings/contract/features/users.ts'
import { md5 } from '@ithings/contract/md5.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input } from 'antd'
import { useNavigate } from 'react-router'
import * as z from 'zod'
import { call } from '#api/call.ts'
import { sessionQuery } from '#api/session-query.ts'
import { session } from '#api/session-store.ts'
import { loginPath } from '#api/sign-in-path.ts'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { StrengthMeter } from '#kit/strength-meter.tsx'

const schema = changeOwnPasswordBody.pick({ oldPassword: true, newPassword: true }).extend({
  confirm: z.string().min(1),
})

function Strength() {
  const password: unknown = Form.useWatch('newPassword')
  return <StrengthMeter password={typeof password === 'string' ? password : ''} />
}

/** Every session of the user ends with the change, so the way leads to the login page. */
export function ChangePasswordModal(opened: { open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data } = useQuery(sessionQuery)

  const submit = async ({ oldPassword, newPassword }: z.output<typeof schema>) => {
    const body = { oldPassword: md5(oldPassword), pwdType: PasswordType.md5, newPassword }
    // The form shows the refusal beside the field.
    await call(changeOwnPassword, body, { quiet: true })
    session.clear()
    client.clear()
    void message.success(t('密码已修改，请重新登录'))
    await navigate(loginPath, { replace: true })
  }

  return (
    <FormModal {...opened} title={t('修改密码')} schema={schema} onSubmit={submit} layout="vertical" width={440}>
      {/* Tells password managers whose password this is. */}
      <input hidden readOnly autoComplete="username" value={data?.info.userName ?? ''} />
      <Field name="oldPassword" label={t('原密码')}>
        <Input.Password autoComplete="current-password" maxLength={128} />
      </Field>
      <Field name="newPassword" label={t('新密码')} extra={<Strength />}>
        <Input.Password autoComplete="new-password" maxLength={64} />
      </Field>
      <Field
        name="confirm"
        label={t('确认新密码')}
        dependencies={['newPassword']}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_rule, value: unknown) =>
              !value || value === getFieldValue('newPassword')
                ? Promise.resolve()
                : Promise.reject(new Error(t('两次输入的新密码不一致'))),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={64} />
      </Field>
    </FormModal>
  )
}
