import { FileTextOutlined, ImportOutlined, PlusOutlined } from '@ant-design/icons'
import type { Api } from '@ithings/contract/features/apis.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, useState } from 'react'
import { useSearchParams } from 'react-router'
import { businessTypeOptions } from '#blocks/business-type.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import type { FilterField, RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { WhenOpened } from '#kit/when-opened.tsx'
import { useMemo } from '#language/use-memo.ts'
import { type ApiGroup, groupsOf } from '../api-groups.ts'
import { methodOptions } from '../labels.ts'
import { apiColumns } from '../parts/api-columns.tsx'
import type { ApiTask } from '../parts/api-form.tsx'
import '../parts/apis.css'
import { numberText } from '#kit/number-text.ts'
import { type ApiFilter, allApisQuery, apisQuery, dropApi, useApisChanged } from '../queries.ts'

// Behind their buttons: the list does not wait for them.
const ApiForm = lazy(async () => ({ default: (await import('../parts/api-form.tsx')).ApiForm }))
const ImportDrawer = lazy(async () => ({ default: (await import('../parts/import-drawer.tsx')).ImportDrawer }))

interface GroupPaneProps {
  groups: readonly ApiGroup[]
  /** Undefined: not known yet. */
  total: number | undefined
  active: string | undefined
  onPick: (group: string | undefined) => void
}

/** The groups with their counts beside the list; the choice is the list's own filter in the URL. */
function GroupPane({ groups, total, active, onPick }: GroupPaneProps) {
  const row = (key: string | undefined, name: string, count: number | undefined) => (
    <li key={name}>
      <button
        type="button"
        className={`plain-button row between wide start gap-8 pad-x-8 high-36 round-6 hover-fill ${key === active ? 'pick-row-on' : ''}`}
        aria-pressed={key === active}
        onClick={() => onPick(key)}
      >
        <span className="cut" title={name}>
          {name}
        </span>
        <span className="regular small quiet">{count === undefined ? undefined : numberText(count)}</span>
      </button>
    </li>
  )
  return (
    <nav className="list-card side-list pad-8 scroll-y" aria-label={t('接口分组')}>
      <h2 className="regular size-13 bare quiet" style={{ padding: '6px 8px' }}>
        {t('接口分组')}
      </h2>
      <ul className="bare-list">
        {row(undefined, t('全部接口'), total)}
        {groups.map((group) => row(group.name, group.name, group.count))}
      </ul>
    </nav>
  )
}

const filterFields = (groups: readonly ApiGroup[]): FilterField[] => [
  { name: 'name', label: t('接口名称'), control: 'text', width: 140 },
  { name: 'route', label: t('接口路由'), control: 'text', width: 160 },
  { name: 'method', label: t('请求方式'), control: 'select', options: methodOptions, width: 100 },
  {
    name: 'group',
    label: t('接口分组'),
    control: 'select',
    advanced: true,
    // Without the groups the URL's own word is taken as it is.
    ...(groups.length > 0 && { options: groups.map(({ name }) => ({ label: name, value: name })) }),
  },
  { name: 'businessType', label: t('业务类型'), control: 'select', options: businessTypeOptions, advanced: true },
]

function useRowActions(onEdit: (api: Api) => void) {
  const confirm = useConfirm()
  const changed = useApisChanged()
  const remove = (api: Api) =>
    confirm({
      title: t('删除接口「{name}」？', { name: api.name }),
      content:
        api.roles.length > 0
          ? t('持有它的角色（{roles}）将失去这个接口的权限。删除后无法恢复。', { roles: api.roles.join(t('、')) })
          : t('目前没有角色持有它。删除后无法恢复。'),
      danger: true,
      okText: t('删除'),
      onOk: () => dropApi(api.id).then(changed),
      done: t('删除成功'),
    })
  // Those of the platform itself are what they are.
  return (api: Api): RowAction[] =>
    api.builtIn
      ? []
      : [
          { key: 'edit', label: t('编辑'), onClick: () => onEdit(api) },
          { key: 'delete', label: t('删除'), danger: true, onClick: () => remove(api) },
        ]
}

/** screens.md 15: the registry that role rights and the operation log are built on. */
export function ApiList() {
  const phone = usePhone()
  const [params, setParams] = useSearchParams()
  const group = params.get('group') ?? undefined
  const { data } = useQuery(allApisQuery)
  const all = useMemo(() => data?.list ?? [], [data])
  const groups = useMemo(() => groupsOf(all), [all])
  const filters = useMemo(() => filterFields(groups), [groups])
  const [task, setTask] = useState<ApiTask>()
  const [importing, setImporting] = useState(false)
  const actionsOf = useRowActions((api) => setTask({ kind: 'edit', api }))
  const pickGroup = (name: string | undefined) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      next.delete('page')
      if (name === undefined) next.delete('group')
      else next.set('group', name)
      return next
    })

  return (
    <div className={phone ? 'list-page-phone' : undefined}>
      <PageHeading
        title={t('接口管理')}
        subtitle={!phone && t('角色权限按这里登记的接口分配')}
        extra={
          <>
            <Button icon={<FileTextOutlined />} href="/api/docs" target="_blank" rel="noreferrer">
              {t('接口文档')}
            </Button>
            {!phone && (
              <Button icon={<ImportOutlined />} onClick={() => setImporting(true)}>
                {t('导入')}
              </Button>
            )}
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setTask({ kind: 'create', group })}>
              {t('新增接口')}
            </Button>
          </>
        }
      />
      <div className={phone ? undefined : 'api-layout top gap-16 grid'}>
        {!phone && <GroupPane groups={groups} total={data?.total} active={group} onPick={pickGroup} />}
        <ListPage<Api, ApiFilter>
          title={t('接口管理')}
          embedded
          filters={filters}
          columns={apiColumns}
          rowKey={(api) => String(api.id)}
          storageKey="apis"
          query={({ page, filters: wanted }) => apisQuery(page, wanted)}
          rowActions={actionsOf}
          exportName={t('接口')}
          empty={{ title: t('还没有登记接口'), text: t('登记接口后，可以在角色管理中分配给角色。') }}
        />
      </div>
      <WhenOpened open={importing}>
        <ImportDrawer list={all} open={importing} onClose={() => setImporting(false)} />
      </WhenOpened>
      <WhenOpened open={task !== undefined}>
        <ApiForm task={task} list={all} onClose={() => setTask(undefined)} />
      </WhenOpened>
    </div>
  )
}
