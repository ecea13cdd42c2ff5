import { createRoleBody, type Role, updateRoleBody } from '@ithings/contract/features/roles.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Input, Radio, Switch } from 'antd'
import { enabledOptions } from '#blocks/enabled-status.ts'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { allRolesQuery, useCreateRole, useSaveRole } from '../queries.ts'

function RoleFields({ admin = false }: { admin?: boolean }) {
  return (
    <>
      <Field name="name" label={t('角色名称')} extra={admin && t('管理员角色不能改名')}>
        <Input maxLength={32} showCount placeholder={t('例如：运维工程师')} disabled={admin} autoFocus={!admin} />
      </Field>
      <Field name="remark" label={t('备注')}>
        <Input.TextArea maxLength={256} showCount rows={3} placeholder={t('这个角色负责什么')} />
      </Field>
      <Field name="status" label={t('状态')} extra={admin && t('管理员角色不能禁用')}>
        <Radio.Group
          options={enabledOptions.map(({ value, label }) => ({ value, label: t(label) }))}
          disabled={admin}
        />
      </Field>
      <Field
        name="secondFactor"
        label={t('两步验证')}
        valuePropName="checked"
        extra={t('开启后，还没有两步验证的成员须先启用它才能继续使用')}
      >
        <Switch checkedChildren={t('必须')} unCheckedChildren={t('自愿')} />
      </Field>
    </>
  )
}

export function CreateRoleForm(opened: Opened) {
  const create = useCreateRole()
  return (
    <FormModal
      {...opened}
      title={t('新增角色')}
      schema={createRoleBody}
      initialValues={{ status: EnabledStatus.enabled, secondFactor: false }}
      submitText={t('创建')}
      onSubmit={(values) => create.mutateAsync(values)}
      done={t('创建成功')}
    >
      <RoleFields />
    </FormModal>
  )
}

export function EditRoleForm({ role, ...opened }: Opened & { role: Role }) {
  const client = useQueryClient()
  const save = useSaveRole()
  const stale = useStaleEdit(role.rev, async () => {
    const { list } = await client.fetchQuery({ ...allRolesQuery, staleTime: 0 })
    const latest = list.find((one) => one.id === role.id)
    if (!latest) throw new Error(t('这个角色已经被删除'))
    return latest
  })
  const { id, name, remark, status, secondFactor, rev } = role
  return (
    <FormModal
      {...opened}
      title={t('编辑角色「{name}」', { name })}
      schema={updateRoleBody.extend({ name: createRoleBody.shape.name })}
      initialValues={{ id, name, remark, status, secondFactor, rev }}
      stale={stale}
      onSubmit={(values, { rev: newest }) => save.mutateAsync({ ...values, rev: newest })}
      done={t('更新成功')}
    >
      <RoleFields admin={id === BuiltInRole.admin} />
    </FormModal>
  )
}
