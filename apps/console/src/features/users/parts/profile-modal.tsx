import { Sex, sexLabels, type UserInfo, updateSelf } from '@ithings/contract/features/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App, Input, Radio } from 'antd'
import type * as z from 'zod'
import { call } from '#api/call.ts'
import { sessionQuery } from '#api/session-query.ts'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'

const schema = updateSelf.body.pick({ nickName: true, phone: true, email: true, sex: true, rev: true })

const sexes = Object.values(Sex).map((value) => ({ value, label: sexLabels[value] }))

export function ProfileModal({ info, open, onClose }: { info: UserInfo; open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const submit = async (values: z.output<typeof schema>) => {
    await call(updateSelf, { ...values, rev: info.rev }, { quiet: true })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    void message.success('更新成功')
  }
  const { nickName, phone, email, sex, rev } = info
  return (
    <FormModal
      title="编辑个人信息"
      open={open}
      onClose={onClose}
      schema={schema}
      initialValues={{ nickName, phone, email, sex, rev }}
      onSubmit={submit}
      layout="vertical"
      width={440}
    >
      <Field name="nickName" label="昵称">
        <Input maxLength={32} showCount />
      </Field>
      <Field name="phone" label="手机号">
        <Input maxLength={20} inputMode="tel" autoComplete="tel" />
      </Field>
      <Field name="email" label="邮箱">
        <Input maxLength={128} inputMode="email" autoComplete="email" />
      </Field>
      <Field name="sex" label="性别">
        <Radio.Group options={sexes} />
      </Field>
    </FormModal>
  )
}
