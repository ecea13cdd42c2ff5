import {
  BuiltInRole,
  createUserBody,
  EnabledStatus,
  type UserInfo,
  updateUserBody,
} from '@ithings/contract/features/users.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Form, Input, Radio, Select, type SelectProps } from 'antd'
import * as z from 'zod'
import { enabledOptions } from '#blocks/enabled-status.ts'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { personName, sexOptions } from '../labels.ts'
import { rolesQuery, useCreateUser, useOwnID, userQuery, useUpdateUser } from '../queries.ts'
import './users.css'
import { useState } from 'react'
import { CopyButton } from '#kit/copyable.tsx'
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
function PasswordFields() {
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

/** The roles as they are now: read again each time the form opens (screens.md 12). */
function RoleSelect({ current, ...rest }: SelectProps & { current?: number }) {
  const { data, isPending, isError, refetch } = useQuery({ ...rolesQuery, staleTime: 0, refetchOnMount: 'always' })
  const options = (data?.list ?? []).map((role) => ({
    value: role.id,
    label: role.status === EnabledStatus.disabled ? `${role.name}（已禁用）` : role.name,
    disabled: role.status === EnabledStatus.disabled && role.id !== current,
    title: role.id === BuiltInRole.admin ? '拥有全部权限' : role.remark,
  }))
  return (
    <Select
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="选择角色"
      loading={isPending}
      options={options}
      notFoundContent={
        isError ? (
          <Button type="link" size="small" onClick={() => void refetch()}>
            角色加载失败，重试
          </Button>
        ) : isPending ? (
          '加载中…'
        ) : (
          '没有角色'
        )
      }
      {...rest}
    />
  )
}

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
