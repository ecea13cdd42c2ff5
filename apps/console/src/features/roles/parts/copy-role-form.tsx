import { createRoleBody, type Role } from '@ithings/contract/features/roles.ts'
import { App, Input } from 'antd'
import { useNavigate } from 'react-router'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { roleDetailPath } from '../paths.ts'
import { useCopyRole } from '../queries.ts'

const schema = createRoleBody.pick({ name: true, remark: true })
const longestName = 32

/** A new role with the menus and APIs of another one. */
export function CopyRoleForm({ role, open, onClose }: { role: Role; open: boolean; onClose: () => void }) {
  const { message, modal } = App.useApp()
  const navigate = useNavigate()
  const copy = useCopyRole()
  return (
    <FormModal
      title={`复制角色「${role.name}」`}
      open={open}
      onClose={onClose}
      schema={schema}
      initialValues={{ name: `${role.name} 副本`.slice(0, longestName), remark: role.remark }}
      submitText="复制"
      onSubmit={async ({ name, remark }) => {
        const { id, failure } = await copy.mutateAsync({ source: role.id, name, remark })
        if (failure === undefined) {
          void message.success(`已复制为「${name}」`)
          return
        }
        modal.warning({
          title: `角色「${name}」已创建，但权限没有复制完`,
          content: `${describeError(failure).reason}。请在权限页补充。`,
          okText: '去设置权限',
          onOk: () => navigate(roleDetailPath(id)),
        })
      }}
    >
      <Field name="name" label="角色名称" extra="菜单与接口权限一并复制，成员不复制">
        <Input maxLength={longestName} showCount autoFocus />
      </Field>
      <Field name="remark" label="备注">
        <Input.TextArea maxLength={256} showCount rows={3} />
      </Field>
    </FormModal>
  )
}
