import {
  BuiltInRole,
  createUserBody,
  EnabledStatus,
  type UserInfo,
  updateUserBody,
} from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input, Radio, Select, type SelectProps } from 'antd'
import * as z from 'zod'
import { enabledOptions } from '#blocks/enabled-status.ts'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { personName, sexOptions } from '../labels.ts'
import { rolesQuery, useCreateUser, useOwnID, userQuery, useUpdateUser } from '../queries.ts'
import './users.css'
import { useState } from 'react'
import { CopyButton } from '#kit/copyable.tsx'
import { stateText } from '#kit/status-tag.tsx'
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
      {password && <CopyButton text={password} label={t('复制密码')} />}
      <Button type="link" size="small" onClick={generate}>
        {t('随机生成')}
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
      <Field name="password" label={t('密码')} extra={<PasswordHelp onGenerated={() => setVisible(true)} />}>
        <Input.Password
          autoComplete="new-password"
          maxLength={64}
          placeholder={t('至少 8 位，含数字、大小写字母、符号中的两种')}
          visibilityToggle={{ visible, onVisibleChange: setVisible }}
        />
      </Field>
      <Field
        name="confirm"
        label={t('确认密码')}
        dependencies={['password']}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_rule, value: unknown) =>
              !value || value === getFieldValue('password')
                ? Promise.resolve()
                : Promise.reject(new Error(t('两次输入的密码不一致'))),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={64} placeholder={t('再输入一次')} />
      </Field>
    </>
  )
}

/** The roles as they are now: read again each time the form opens (screens.md 12). */
function RoleSelect({ current, ...rest }: SelectProps & { current?: number }) {
  const { data, isPending, isError, refetch } = useQuery({ ...rolesQuery, staleTime: 0, refetchOnMount: 'always' })
  const options = (data?.list ?? []).map((role) => ({
    value: role.id,
    label: role.status === EnabledStatus.disabled ? t('{name}（已禁用）', { name: role.name }) : role.name,
    disabled: role.status === EnabledStatus.disabled && role.id !== current,
    title: role.id === BuiltInRole.admin ? t('拥有全部权限') : role.remark,
  }))
  return (
    <Select
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('选择角色')}
      loading={isPending}
      options={options}
      notFoundContent={
        isError ? (
          <Button type="link" size="small" onClick={() => void refetch()}>
            {t('角色加载失败，重试')}
          </Button>
        ) : isPending ? (
          t('加载中…')
        ) : (
          t('没有角色')
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
      <Field name="nickName" label={t('昵称')}>
        <Input maxLength={32} showCount placeholder={t('姓名或称呼')} />
      </Field>
      <div className="field-pair">
        <Field name="phone" label={t('手机号')}>
          <Input maxLength={20} inputMode="tel" autoComplete="off" placeholder={t('可用于登录')} />
        </Field>
        <Field name="email" label={t('邮箱')}>
          <Input maxLength={128} inputMode="email" autoComplete="off" placeholder={t('可用于登录')} />
        </Field>
      </div>
      <Field name="sex" label={t('性别')}>
        <Radio.Group options={sexOptions()} />
      </Field>
    </>
  )
}

export function CreateUserForm(opened: Opened) {
  const create = useCreateUser()
  return (
    <FormDrawer
      {...opened}
      title={t('新增用户')}
      schema={createSchema}
      initialValues={{ status: EnabledStatus.enabled, sex: 0 }}
      submitText={t('创建')}
      onSubmit={({ confirm: _, ...values }) => create.mutateAsync(values)}
      done={t('创建成功')}
    >
      <Field name="userName" label={t('用户名')}>
        <Input maxLength={20} autoComplete="off" autoFocus placeholder={t('字母开头，6 到 20 位字母、数字、_ 或 -')} />
      </Field>
      <PasswordFields />
      <Field name="role" label={t('用户角色')}>
        <RoleSelect />
      </Field>
      <ProfileFields />
      <Field name="status" label={t('状态')}>
        <Radio.Group options={enabledOptions.map(({ value, label }) => ({ value, label: stateText(label) }))} />
      </Field>
    </FormDrawer>
  )
}

export function EditUserForm({ user, ...opened }: Opened & { user: UserInfo }) {
  const client = useQueryClient()
  const update = useUpdateUser()
  const self = useOwnID() === user.userID
  const stale = useStaleEdit(user.rev, () => client.fetchQuery({ ...userQuery(user.userID), staleTime: 0 }))
  const { userID, userName, role, nickName, phone, email, sex, rev } = user
  return (
    <FormDrawer
      {...opened}
      title={t('编辑用户「{name}」', { name: personName(user) })}
      schema={editSchema}
      initialValues={{ userID, userName, role, nickName, phone, email, sex, rev }}
      stale={stale}
      onSubmit={(values, { rev: newest }) => update.mutateAsync({ ...values, rev: newest })}
      done={t('更新成功')}
    >
      <Field name="userName" label={t('用户名')} extra={t('修改后，下次须用新的用户名登录')}>
        <Input maxLength={20} autoComplete="off" />
      </Field>
      <Field
        name="role"
        label={t('用户角色')}
        extra={self ? t('不能更换自己的角色') : t('更换后立即生效，无需重新登录')}
      >
        <RoleSelect current={role} disabled={self} />
      </Field>
      <ProfileFields />
    </FormDrawer>
  )
}
