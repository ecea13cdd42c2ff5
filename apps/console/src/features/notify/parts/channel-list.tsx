import { PlusOutlined } from '@ant-design/icons'
import {
  type Channel,
  type ChannelStatus,
  createChannel,
  deleteChannel,
  testChannel,
  updateChannel,
} from '@ithings/contract/features/notify.ts'
import type { ChannelType } from '@ithings/contract/rules/scene-parts.ts'
import { App, Button } from 'antd'
import { useState } from 'react'
import { useConfirm } from '#kit/confirm.tsx'
import type { ListPaging, RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { May } from '#kit/rights.tsx'
import { channelsQuery, useDeleteChannel } from '../queries.ts'
import { channelColumns, channelFilters } from './channel-columns.tsx'
import { TestDialog } from './test-dialog.tsx'

interface ChannelFilters {
  name?: string
  type?: ChannelType
  status?: ChannelStatus
}

interface ChannelListProps {
  onCreate: () => void
  onEdit: (channel: Channel) => void
  onLog: (channel: Channel, state?: number) => void
}

const query = ({ page, filters }: { page: ListPaging; filters: ChannelFilters }) => channelsQuery({ page, ...filters })

export function ChannelList({ onCreate, onEdit, onLog }: ChannelListProps) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const remove = useDeleteChannel()
  const [test, setTest] = useState<{ channel: Channel; open: boolean; session: number }>()
  const askDelete = (channel: Channel) =>
    confirm({
      title: `删除通知渠道「${channel.name}」？`,
      content: '正被场景或告警使用的渠道不能删除，会列出使用者。发送记录保留，正在等待的通知仍会发出。',
      danger: true,
      okText: '删除',
      onOk: async () => {
        await remove.mutateAsync(channel.id)
        void message.success('删除成功')
      },
    })
  const actions = (channel: Channel): RowAction[] => [
    { key: 'edit', label: '编辑', needs: updateChannel, onClick: () => onEdit(channel) },
    {
      key: 'test',
      label: '测试',
      needs: testChannel,
      onClick: () => setTest((before) => ({ channel, open: true, session: (before?.session ?? 0) + 1 })),
    },
    { key: 'log', label: '发送记录', onClick: () => onLog(channel) },
    { key: 'delete', label: '删除', needs: deleteChannel, danger: true, onClick: () => askDelete(channel) },
  ]
  return (
    <>
      <ListPage<Channel, ChannelFilters>
        embedded
        title="通知渠道"
        filters={channelFilters}
        columns={channelColumns({ onEdit, onLog })}
        rowKey={(channel) => String(channel.id)}
        storageKey="notify-channels"
        query={query}
        exportName="通知渠道"
        rowActions={actions}
        empty={{
          title: '还没有通知渠道',
          text: '新增邮件、Webhook 或群机器人渠道，场景和告警就能把消息送到人手里。',
          action: (
            <May needs={createChannel}>
              <Button type="primary" icon={<PlusOutlined />} onClick={onCreate}>
                新增渠道
              </Button>
            </May>
          ),
        }}
      />
      {test && (
        <TestDialog
          key={test.session}
          channel={test.channel}
          open={test.open}
          onClose={() => setTest({ ...test, open: false })}
        />
      )}
    </>
  )
}
