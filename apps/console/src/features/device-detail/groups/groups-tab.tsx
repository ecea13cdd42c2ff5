import { FolderAddOutlined } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import {
  addGroupDevices,
  type Group,
  type listGroupsOfDevice,
  removeGroupDevices,
} from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { deviceTitle } from '#blocks/device/labels.ts'
import { groupRowsQuery, useRemoveFromGroup } from '#blocks/device/queries.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { TagList } from '#blocks/tags.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { groupDetailPath } from '#kit/paths.ts'
import { ActButton } from '#kit/rights.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { groupPath } from './group-choices.ts'

type Row = DataOf<typeof listGroupsOfDevice>['list'][number]

const columnsOf = (groups: readonly Group[]): ListColumn<Row>[] => [
  {
    key: 'groupName',
    title: t('分组'),
    hideable: false,
    phone: 'title',
    render: (_value, row) => <Link to={groupDetailPath(row.groupID)}>{groupPath(groups, row)}</Link>,
  },
  { key: 'groupID', title: t('分组 ID'), phone: 'hide', render: (_value, row) => <Copyable text={row.groupID} /> },
  { key: 'tags', title: t('标签'), phone: 'meta', render: (_value, row) => <TagList tags={row.tags} /> },
  {
    key: 'joinedTime',
    title: t('加入时间'),
    phone: 'meta',
    render: (_value, row) => <TimeText value={row.joinedTime} />,
  },
]

/** screens.md 6.11: where the device belongs. */
export function GroupsTab({ device, onJoin }: { device: Device; onJoin: () => void }) {
  const confirm = useConfirm()
  const leave = useRemoveFromGroup()
  const { data: groups = [] } = useQuery(allGroupsQuery)
  const joinButton = (
    <ActButton needs={addGroupDevices} icon={<FolderAddOutlined />} onClick={onJoin}>
      {t('加入分组')}
    </ActButton>
  )
  const askLeave = (row: Row) =>
    confirm({
      title: t('移出分组「{name}」？', { name: groupPath(groups, row) }),
      content: t('设备「{name}」不再属于这个分组，设备和它的数据都保留。', { name: deviceTitle(device) }),
      okText: t('移出'),
      onOk: () => leave.mutateAsync({ groupID: row.groupID, list: [device] }),
      done: t('移出成功'),
    })
  return (
    <ListPage<Row>
      embedded
      tree
      title={t('分组', { context: 'many' })}
      storageKey="device-groups"
      rowKey="groupID"
      columns={columnsOf(groups)}
      query={() => groupRowsQuery(device)}
      toolbar={joinButton}
      rowActions={(row) => [
        { key: 'leave', label: t('移出'), needs: removeGroupDevices, onClick: () => askLeave(row) },
      ]}
      empty={{ title: t('不在任何分组里'), text: t('分组用来按区域或用途管理设备。'), action: joinButton }}
    />
  )
}
