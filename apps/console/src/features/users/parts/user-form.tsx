import { createUserBody, EnabledStatus, type UserInfo, updateUserBody } from '@ithings/contract/features/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App, Input, Radio } from 'antd'
import * as z from 'zod'
import { enabledOptions } from '#blocks/enabled-status.ts'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { personName, sexOptions } from '../labels.ts'
import { useCreateUser, useOwnID, userQuery, useUpdateUser } from '../queries.ts'
import { PasswordFields } from './password-fields.tsx'
import { RoleSelect } from './role-select.tsx'
import './users.css'

const profile = { userName: true, role: true, nickName: true, phone: true, email: true, sex: true } as const
const createSchema = createUserBody
  .pick({ ...profile, password: true, status: true })
  .extend({ confirm: z.string().min(1) })
const editSchema = updateUserBody
  .pick({ ...profile, userID: true, rev: true })
  .extend({ userName: createUserBody.shape.userName, role: createUserBody.shape.role })

function ProfileFields() {
  return (
    <>
      <Field name="nickName" label="昵称">
        <Input maxLength={32} showCount placeholder="姓名或称呼" />
      </Field>
      <div className="field-pair">
        <Field name="phone" label="手机号">
          <Input maxLength={20} inputMode="tel" autoComplete="off" placeholder="可用于登录" />
        </Field>
        <Field name="email" label="邮箱">
          <Input maxLength={128} inputMode="email" autoComplete="off" placeholder="可用于登录" />
        </Field>
      </div>
      <Field name="sex" label="性别">
        <Radio.Group options={sexOptions} />
      </Field>
    </>
  )
}

interface UserFormProps {
  open: boolean
  onClose: () => void
}

export function CreateUserForm({ open, onClose }: UserFormProps) {
  const { message } = App.useApp()
  const create = useCreateUser()
  return (
    <FormDrawer
      title="新增用户"
      open={open}
      onClose={onClose}
      schema={createSchema}
      initialValues={{ status: EnabledStatus.enabled, sex: 0 }}
      submitText="创建"
      onSubmit={async ({ confirm: _, ...values }) => {
        await create.mutateAsync(values)
        void message.success('创建成功')
      }}
    >
      <Field name="userName" label="用户名">
        <Input maxLength={20} autoComplete="off" autoFocus placeholder="字母开头，6 到 20 位字母、数字、_ 或 -" />
      </Field>
      <PasswordFields />
      <Field name="role" label="用户角色">
        <RoleSelect />
      </Field>
      <ProfileFields />
      <Field name="status" label="状态">
        <Radio.Group options={enabledOptions} />
      </Field>
    </FormDrawer>
  )
}

export function EditUserForm({ user, open, onClose }: UserFormProps & { user: UserInfo }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const update = useUpdateUser()
  const self = useOwnID() === user.userID
  const stale = useStaleEdit(user.rev, () => client.fetchQuery({ ...userQuery(user.userID), staleTime: 0 }))
  const { userID, userName, role, nickName, phone, email, sex, rev } = user
  return (
    <FormDrawer
      title={`编辑用户「${personName(user)}」`}
      open={open}
      onClose={onClose}
      schema={editSchema}
      initialValues={{ userID, userName, role, nickName, phone, email, sex, rev }}
      footerExtra={stale.action}
      onSubmit={async (values) => {
        await stale.guard((newest) => update.mutateAsync({ ...values, rev: newest }))
        void message.success('更新成功')
      }}
    >
      {(form) => {
        stale.bind(form)
        return (
          <>
            <Field name="userName" label="用户名" extra="修改后，下次须用新的用户名登录">
              <Input maxLength={20} autoComplete="off" />
            </Field>
            <Field name="role" label="用户角色" extra={self ? '不能更换自己的角色' : '更换后立即生效，无需重新登录'}>
              <RoleSelect current={role} disabled={self} />
            </Field>
            <ProfileFields />
          </>
        )
      }}
    </FormDrawer>
  )
}
