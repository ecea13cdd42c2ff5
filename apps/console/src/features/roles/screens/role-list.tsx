import { createRoleBody, type Role } from '@ithings/contract/features/roles.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Input } from 'antd'
import { Link, useNavigate } from 'react-router'
import { enabledLooks, enabledOptions } from '#blocks/enabled-status.ts'
import { CopyButton } from '#kit/copyable.tsx'
import type { FilterField, FiltersOf, ListColumn, ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { rolePath } from '#kit/paths.ts'
import { useDialog } from '#kit/use-dialog.ts'
import { CreateRoleForm, EditRoleForm } from '../parts/role-form.tsx'
import '../parts/roles.css'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useRoleActions } from '../parts/use-role-actions.tsx'
import { rolesQuery, useCopyRole } from '../queries.ts'

const schema = createRoleBody.pick({ name: true, remark: true })
const longestName = 32

/** A new role with the menus and APIs of another one. */
function CopyRoleForm({ role, ...opened }: { role: Role; open: boolean; onClose: () => void }) {
  const { message, modal } = App.useApp()
  const navigate = useNavigate()
  const copy = useCopyRole()
  return (
    <FormModal
      {...opened}
      title={t('复制角色「{name}」', { name: role.name })}
      schema={schema}
      initialValues={{ name: t('{name} 副本', { name: role.name }).slice(0, longestName), remark: role.remark }}
      submitText={t('复制')}
      onSubmit={async ({ name, remark }) => {
        const { id, failure } = await copy.mutateAsync({ source: role.id, name, remark })
        if (failure === undefined) {
          void message.success(t('已复制为「{name}」', { name }))
          return
        }
        modal.warning({
          title: t('角色「{name}」已创建，但权限没有复制完', { name }),
          content: t('{reason}。请在权限页补充。', { reason: describeError(failure).reason }),
          okText: t('去设置权限'),
          onOk: () => navigate(rolePath(id)),
        })
      }}
    >
      <Field name="name" label={t('角色名称')} extra={t('菜单与接口权限一并复制，成员不复制')}>
        <Input maxLength={longestName} showCount autoFocus />
      </Field>
      <Field name="remark" label={t('备注')}>
        <Input.TextArea maxLength={256} showCount rows={3} />
      </Field>
    </FormModal>
  )
}

const filters: FilterField[] = [
  { name: 'name', label: '角色名称', control: 'text' },
  { name: 'status', label: '状态', control: 'select', options: enabledOptions },
]

const columns: ListColumn<Role>[] = [
  { key: 'id', title: '编号', dataIndex: 'id', width: 88, sorter: true, phone: 'hide' },
  {
    key: 'name',
    title: '角色名称',
    hideable: false,
    sorter: true,
    phone: 'title',
    render: (_value, role) => (
      <span className="inline-row gap-8">
        <Link to={rolePath(role.id)}>{role.name}</Link>
        <CopyButton text={role.name} />
        {role.builtIn && <span className="small-tag softer">{t('内置')}</span>}
        {role.secondFactor && <span className="small-tag softer">{t('须两步验证')}</span>}
      </span>
    ),
    exportText: (role) => role.name,
  },
  { key: 'remark', title: '备注', dataIndex: 'remark', truncate: 320, phone: 'subtitle' },
  {
    key: 'users',
    title: '成员数',
    dataIndex: 'users',
    align: 'right',
    width: 96,
    phone: 'meta',
    render: (_value, role) => <Link to={rolePath(role.id, 'members')}>{role.users}</Link>,
  },
  { key: 'status', title: '状态', sorter: true, width: 104, phone: 'status', looks: enabledLooks },
  { key: 'createdTime', title: '创建时间', sorter: true, width: 184, phone: 'meta', time: 'exact' },
]

const query = ({ page, filters: given }: { page: ListPaging; filters: FiltersOf<typeof rolesQuery> }) =>
  rolesQuery({ page, ...given })

type Dialog = { kind: 'create' } | { kind: 'edit' | 'copy'; role: Role }

export function RoleList() {
  const { about: dialog, open, session, show, close } = useDialog<Dialog>()
  const actions = useRoleActions({
    onEdit: (role) => show({ kind: 'edit', role }),
    onCopy: (role) => show({ kind: 'copy', role }),
  })
  return (
    <>
      <ListPage<Role, FiltersOf<typeof rolesQuery>>
        title={t('角色管理')}
        subtitle={t('角色决定成员看到哪些菜单、能调用哪些接口')}
        create={{ text: t('新增角色'), onClick: () => show({ kind: 'create' }) }}
        filters={filters}
        columns={columns}
        rowKey="id"
        storageKey="roles"
        query={query}
        exportName={t('角色')}
        index
        rowActions={actions}
        empty={{ title: t('还没有角色'), text: t('角色把菜单和接口权限分给一组用户。') }}
      />
      {dialog?.kind === 'create' && <CreateRoleForm key={session} open={open} onClose={close} />}
      {dialog?.kind === 'edit' && <EditRoleForm key={session} role={dialog.role} open={open} onClose={close} />}
      {dialog?.kind === 'copy' && <CopyRoleForm key={session} role={dialog.role} open={open} onClose={close} />}
    </>
  )
}
