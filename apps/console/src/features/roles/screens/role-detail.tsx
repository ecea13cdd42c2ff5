import { EditOutlined } from '@ant-design/icons'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Tabs } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import * as z from 'zod'
import { enabledLooks } from '#blocks/enabled-status.ts'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { usePageName } from '#kit/page-name.ts'
import { paths } from '#kit/paths.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import { apiKeyOf } from '../api-selection.ts'
import { RightsEditor } from '../parts/rights-editor.tsx'
import { EditRoleForm } from '../parts/role-form.tsx'
import { RoleMembers } from '../parts/role-members.tsx'
import '../parts/roles.css'
import { allRolesQuery, apisQuery, menusQuery, rightsOf, roleApisQuery } from '../queries.ts'

const urlSchema = z.object({ tab: z.enum(['rights', 'members']) })
const urlDefaults = { tab: 'rights' } as const

/** Everything the editor needs, or the first thing that failed. */
function useRole(id: number) {
  const roles = useQuery(allRolesQuery)
  const role = roles.data?.list.find((one) => one.id === id)
  const menus = useQuery(menusQuery)
  const apis = useQuery(apisQuery)
  const held = useQuery({ ...roleApisQuery(id), enabled: role !== undefined })
  const all = [roles, menus, apis, held]
  const known = apis.data && new Set(apis.data.list.map(apiKeyOf))
  return {
    role,
    // Rights of APIs that are no longer registered cannot be saved again, so they are none.
    rights:
      role && menus.data && apis.data && held.data
        ? {
            menus: menus.data.list,
            apis: apis.data.list,
            stored: rightsOf(
              role,
              held.data.list.filter((api) => known?.has(apiKeyOf(api))),
            ),
          }
        : undefined,
    missing: roles.isSuccess && !role,
    error: all.find((query) => query.isError && !query.data)?.error,
    retrying: all.some((query) => query.isFetching),
    retry: () => {
      for (const query of all) if (query.isError) void query.refetch()
    },
  }
}

export function RoleDetail() {
  const id = Number(useParams().id)
  const navigate = useNavigate()
  const phone = usePhone()
  const [{ tab }, setUrl] = useUrlState(urlSchema, urlDefaults)
  const [editing, setEditing] = useState(0)
  const [open, setOpen] = useState(false)
  const { role, rights, missing, error, retrying, retry } = useRole(id)
  usePageName(role?.name)

  if (missing) {
    return (
      <StateBlock
        variant="no-match"
        title={t('这个角色不存在')}
        text={t('它可能已经被删除。')}
        action={<Button onClick={() => void navigate(paths.roles)}>{t('返回角色列表')}</Button>}
      />
    )
  }
  if (error) return <ErrorState subject={t('角色权限')} error={error} retrying={retrying} onRetry={retry} />
  if (!role || !rights) return <Skeleton active paragraph={{ rows: 10 }} />

  const title = (
    <span className="inline-row gap-8">
      {role.name}
      {role.builtIn && <span className="small-tag softer">{t('内置')}</span>}
      <StatusTag looks={enabledLooks} value={role.status} filled />
    </span>
  )
  const edit = () => {
    setEditing(editing + 1)
    setOpen(true)
  }
  return (
    <div className="role-detail">
      <PageHeading
        title={title}
        subtitle={phone ? undefined : role.remark}
        extra={
          <Button icon={<EditOutlined />} onClick={edit}>
            {t('编辑')}
          </Button>
        }
      />
      <Tabs
        activeKey={tab}
        onChange={(key) => setUrl({ tab: urlSchema.shape.tab.parse(key) }, { replace: true })}
        items={[
          {
            key: 'rights',
            label: t('菜单与接口'),
            // screens.md 13: rights of the role opened before must never be written to this one.
            children: <RightsEditor key={role.id} role={role} {...rights} readOnly={role.id === BuiltInRole.admin} />,
          },
          {
            key: 'members',
            label: t('成员 {count}', { count: role.users }),
            children: <RoleMembers key={role.id} role={role} />,
          },
        ]}
      />
      {editing > 0 && (
        <EditRoleForm key={`${role.id}.${editing}`} role={role} open={open} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}
