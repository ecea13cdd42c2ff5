import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { createGroup, deleteGroup, type Group, updateGroup } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Descriptions, Skeleton, Tabs, Tooltip } from 'antd'
import { Fragment } from 'react'
import { Link } from 'react-router'
import * as z from 'zod'
import { ancestorsOf } from '#blocks/group-tree.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { TagPairs } from '#blocks/tags.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { usePageName } from '#kit/page-name.ts'
import { paths } from '#kit/paths.ts'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useUrlState } from '#kit/url-state.ts'
import { groupQuery } from '../queries.ts'
import { GroupDevices } from './group-devices.tsx'
import './groups.css'
import { numberText } from '#kit/number-text.ts'
import { ActButton, May } from '#kit/rights.tsx'
import { SubGroups } from './sub-groups.tsx'
import type { GroupActions } from './use-group-actions.tsx'

const urlSchema = z.object({ tab: z.enum(['devices', 'groups', 'info']) })
const urlDefaults = { tab: 'devices' } as const

interface GroupPaneProps {
  groupID: string
  pathOf: (groupID: string) => string
  onOpen: (groupID: string) => void
  actions: GroupActions
  /** On a page of its own the group's name is the title of the page. */
  alone?: boolean
}

type GroupHeadProps = { group: Group } & Pick<GroupPaneProps, 'pathOf' | 'actions' | 'alone'>

function GroupHead({ group, pathOf, actions, alone = false }: GroupHeadProps) {
  const Title = alone ? 'h1' : 'h2'
  usePageName(alone ? group.groupName : undefined)
  const { data: all = [] } = useQuery(allGroupsQuery)
  const above = ancestorsOf(all, group.groupID)
  const refusal = actions.refuseChild(group.groupID)
  return (
    <div className="list-card pad-16">
      <nav className="below-4 meta flex wrap gap-4" aria-label={t('上级分组')}>
        <Link to={paths.groups}>{t('全部分组')}</Link>
        {above.map((one) => (
          <Fragment key={one.groupID}>
            <span aria-hidden="true">/</span>
            <Link to={pathOf(one.groupID)}>{one.groupName}</Link>
          </Fragment>
        ))}
      </nav>
      <div className="group-title-row gap-8-12 row wrap">
        <Title>{group.groupName}</Title>
        <span className="meta">
          ID <Copyable text={group.groupID} />
        </span>
        <span className="group-buttons">
          <May needs={createGroup}>
            <Tooltip title={refusal}>
              <Button
                icon={<PlusOutlined />}
                disabled={refusal !== undefined}
                onClick={() => actions.create(group.groupID)}
              >
                {t('新增子分组')}
              </Button>
            </Tooltip>
          </May>
          <ActButton needs={updateGroup} icon={<EditOutlined />} onClick={() => actions.edit(group)}>
            {t('编辑')}
          </ActButton>
          <May needs={deleteGroup}>
            <Tooltip title={t('删除分组')}>
              <Button icon={<DeleteOutlined />} aria-label={t('删除分组')} onClick={() => actions.remove(group)} />
            </Tooltip>
          </May>
        </span>
      </div>
      <dl className="above-12 bare flex wrap" style={{ gap: '8px 32px' }}>
        <div className="flex baseline gap-8">
          <dt className="softer">{t('本组设备')}</dt>
          <dd className="bare bold size-16">{numberText(group.deviceCount)}</dd>
        </div>
        <div className="flex baseline gap-8">
          <dt className="softer">{t('含子分组', { context: 'figure' })}</dt>
          <dd className="bare bold size-16">{numberText(group.totalCount)}</dd>
        </div>
        <div className="flex baseline gap-8">
          <dt className="softer">{t('在线')}</dt>
          <dd className="tone-success bare bold size-16">{numberText(group.onlineCount)}</dd>
        </div>
      </dl>
    </div>
  )
}

function GroupInfo({ group, onEdit }: { group: Group; onEdit: () => void }) {
  const none = <span className="no-value">—</span>
  return (
    <div className="list-card pane group-info head-acts">
      <Descriptions
        column={{ xs: 1, md: 2 }}
        title={t('分组信息')}
        extra={
          <ActButton needs={updateGroup} type="text" icon={<EditOutlined />} onClick={onEdit}>
            {t('编辑')}
          </ActButton>
        }
        items={[
          { key: 'name', label: t('分组名称'), children: group.groupName },
          { key: 'id', label: t('分组 ID'), children: <Copyable text={group.groupID} /> },
          { key: 'time', label: t('创建时间'), children: <TimeText value={group.createdTime} mode="exact" /> },
          { key: 'desc', label: t('分组描述'), children: group.desc || none },
          {
            key: 'tags',
            label: t('标签'),
            span: 'filled',
            children: group.tags.length > 0 ? <TagPairs tags={group.tags} /> : none,
          },
        ]}
      />
    </div>
  )
}

/** One group: who it is, its devices, the groups below it; the same beside the tree and on its own page. */
export function GroupPane({ groupID, pathOf, onOpen, actions, alone = false }: GroupPaneProps) {
  const [{ tab }, setUrl] = useUrlState(urlSchema, urlDefaults)
  const query = useQuery(groupQuery(groupID))
  const { data: all } = useQuery(allGroupsQuery)
  const group = query.data
  if (!group) {
    if (all && !all.some((one) => one.groupID === groupID)) {
      return (
        <StateBlock
          variant="no-match"
          title={t('这个分组不存在')}
          text={t('它可能已经被删除。')}
          action={<Link to={paths.groups}>{t('查看全部分组')}</Link>}
        />
      )
    }
    if (query.isError) return <QueryError subject={t('分组')} query={query} />
    return <Skeleton active paragraph={{ rows: 8 }} />
  }
  const below = all?.filter((one) => one.parentID === groupID).length ?? 0
  return (
    <div className="group-pane">
      <GroupHead group={group} pathOf={pathOf} actions={actions} alone={alone} />
      <Tabs
        activeKey={tab}
        onChange={(key) => setUrl({ tab: urlSchema.shape.tab.parse(key) }, { replace: true })}
        items={[
          {
            key: 'devices',
            label: t('设备 {count, number}', { count: group.totalCount }),
            children: <GroupDevices group={group} isParent={below > 0} />,
          },
          {
            key: 'groups',
            label: t('子分组 {count, number}', { count: below }),
            children: (
              <SubGroups parentID={groupID} title={t('子分组')} pathOf={pathOf} onOpen={onOpen} actions={actions} />
            ),
          },
          {
            key: 'info',
            label: t('分组信息'),
            children: <GroupInfo group={group} onEdit={() => actions.edit(group)} />,
          },
        ]}
      />
    </div>
  )
}
