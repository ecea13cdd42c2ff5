import { PlusOutlined, SendOutlined } from '@ant-design/icons'
import {
  type Channel,
  createChannel,
  deleteChannel,
  testChannel,
  updateChannel,
} from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Modal, Spin } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTestChannel } from '#blocks/channel-form/channel-work.ts'
import { TestResult } from '#blocks/channel-form/test-result.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import type { FiltersOf, ListPaging, RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { ActButton } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { channelsQuery, useDeleteChannel } from '../queries.ts'
import { channelColumns, channelFilters } from './channel-columns.tsx'

/** Sends as soon as it opens: somebody clicked 测试 to see just that. */
function TestDialog({ channel, open, onClose }: { channel: Channel; open: boolean; onClose: () => void }) {
  const { mutate, data, error, isPending } = useTestChannel()
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    mutate({ id: channel.id })
  }, [mutate, channel.id])
  return (
    <Modal
      title={t('测试「{name}」', { name: channel.name })}
      open={open}
      onCancel={onClose}
      footer={[
        <Button key="again" icon={<SendOutlined />} disabled={isPending} onClick={() => mutate({ id: channel.id })}>
          {t('再发一次')}
        </Button>,
        <Button key="close" type="primary" onClick={onClose}>
          {t('关闭')}
        </Button>,
      ]}
    >
      <div style={{ minHeight: 64 }}>
        {isPending && (
          <span className="inline-row gap-8" role="status">
            <Spin size="small" /> {t('正在发送…')}
          </span>
        )}
        {!isPending && data && <TestResult result={data} />}
        {!isPending && error && <Alert type="error" showIcon title={describeError(error).reason} />}
      </div>
    </Modal>
  )
}

interface ChannelListProps {
  onCreate: () => void
  onEdit: (channel: Channel) => void
  onLog: (channel: Channel, state?: number) => void
}

const query = ({ page, filters }: { page: ListPaging; filters: FiltersOf<typeof channelsQuery> }) =>
  channelsQuery({ page, ...filters })

export function ChannelList({ onCreate, onEdit, onLog }: ChannelListProps) {
  const confirm = useConfirm()
  const remove = useDeleteChannel()
  const [test, setTest] = useState<{ channel: Channel; open: boolean; session: number }>()
  const askDelete = (channel: Channel) =>
    confirm({
      title: t('删除通知渠道「{name}」？', { name: channel.name }),
      content: t('正被场景或告警使用的渠道不能删除，会列出使用者。发送记录保留，正在等待的通知仍会发出。'),
      danger: true,
      okText: t('删除'),
      onOk: () => remove.mutateAsync(channel.id),
      done: t('删除成功'),
    })
  const actions = (channel: Channel): RowAction[] => [
    { key: 'edit', label: t('编辑'), needs: updateChannel, onClick: () => onEdit(channel) },
    {
      key: 'test',
      label: t('测试'),
      needs: testChannel,
      onClick: () => setTest((before) => ({ channel, open: true, session: (before?.session ?? 0) + 1 })),
    },
    { key: 'log', label: t('发送记录'), onClick: () => onLog(channel) },
    { key: 'delete', label: t('删除'), needs: deleteChannel, danger: true, onClick: () => askDelete(channel) },
  ]
  return (
    <>
      <ListPage<Channel, FiltersOf<typeof channelsQuery>>
        embedded
        title={t('通知渠道')}
        filters={channelFilters}
        columns={channelColumns({ onEdit, onLog })}
        rowKey={(channel) => String(channel.id)}
        storageKey="notify-channels"
        query={query}
        exportName={t('通知渠道')}
        rowActions={actions}
        empty={{
          title: t('还没有通知渠道'),
          text: t('新增邮件、Webhook 或群机器人渠道，场景和告警就能把消息送到人手里。'),
          action: (
            <ActButton needs={createChannel} type="primary" icon={<PlusOutlined />} onClick={onCreate}>
              {t('新增渠道')}
            </ActButton>
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
