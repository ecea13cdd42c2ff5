import { createGroup, deleteGroup, type Group, updateGroup } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { TagList, tagFilterField, tagsOf } from '#blocks/tags.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { FilterField, ListColumn, ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { numberText } from '#kit/number-text.ts'
import { ActButton } from '#kit/rights.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useMemo } from '#language/use-memo.ts'
import { groupsQuery } from '../queries.ts'
import type { GroupActions } from './use-group-actions.tsx'

interface GroupFilters {
  groupName?: string
  tags?: string
}

interface SubGroupsProps {
  parentID: string
  title: string
  pathOf: (groupID: string) => string
  onOpen: (groupID: string) => void
  actions: GroupActions
}

const fields: FilterField[] = [
  { name: 'groupName', label: '分组名称', control: 'text', width: 160 },
  tagFilterField('分组标签', []),
]

const columnsFor = (pathOf: (groupID: string) => string): ListColumn<Group>[] => [
  {
    key: 'groupName',
    title: t('分组名称'),
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, group) => <Link to={pathOf(group.groupID)}>{group.groupName}</Link>,
  },
  {
    key: 'groupID',
    title: t('分组 ID'),
    phone: 'hide',
    render: (_value, group) => <Copyable text={group.groupID} />,
  },
  {
    key: 'deviceCount',
    title: t('本组设备'),
    sorter: true,
    align: 'end',
    phone: 'meta',
    render: (_value, group) => numberText(group.deviceCount),
  },
  {
    key: 'totalCount',
    title: t('含子分组', { context: 'figure' }),
    align: 'end',
    phone: 'meta',
    render: (_value, group) => numberText(group.totalCount),
  },
  {
    key: 'onlineCount',
    title: t('在线'),
    align: 'end',
    phone: 'meta',
    render: (_value, group) => numberText(group.onlineCount),
  },
  { key: 'tags', title: t('标签'), phone: 'hide', render: (_value, group) => <TagList tags={group.tags} /> },
  { key: 'desc', title: t('描述'), dataIndex: 'desc', truncate: 200, hiddenAtFirst: true, phone: 'subtitle' },
  {
    key: 'createdTime',
    title: t('创建时间'),
    sorter: true,
    phone: 'hide',
    render: (_value, group) => <TimeText value={group.createdTime} mode="exact" />,
  },
]

/** The groups directly below one, or the top-level ones. */
export function SubGroups({ parentID, title, pathOf, onOpen, actions }: SubGroupsProps) {
  const columns = useMemo(() => columnsFor(pathOf), [pathOf])
  const refusal = actions.refuseChild(parentID)
  const create = (
    <ActButton needs={createGroup} disabled={refusal !== undefined} onClick={() => actions.create(parentID)}>
      {t('新增子分组')}
    </ActButton>
  )
  return (
    <ListPage<Group, GroupFilters>
      embedded
      title={title}
      exportName={title}
      urlPrefix="g."
      filters={fields}
      columns={columns}
      rowKey="groupID"
      storageKey="groups"
      query={({ page, filters: { tags, ...rest } }: { page: ListPaging; filters: GroupFilters }) =>
        groupsQuery({ page, parentID, ...rest, ...tagsOf(tags) })
      }
      rowActions={(group) => [
        { key: 'read', label: t('查看'), onClick: () => onOpen(group.groupID) },
        { key: 'edit', label: t('编辑'), needs: updateGroup, onClick: () => actions.edit(group) },
        { key: 'delete', label: t('删除'), needs: deleteGroup, danger: true, onClick: () => actions.remove(group) },
      ]}
      empty={{ title: t('没有子分组'), text: refusal ?? t('可以在这个分组下新增子分组。'), action: create }}
    />
  )
}
