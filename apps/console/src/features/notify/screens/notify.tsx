import { PlusOutlined } from '@ant-design/icons'
import { type Channel, createChannel } from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton, Tabs } from 'antd'
import { lazy, Suspense, useState } from 'react'
import * as z from 'zod'
import { MailWarning } from '#blocks/channel-form/mail-warning.tsx'
import { allChannelsQuery } from '#blocks/channels-query.ts'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { ActButton } from '#kit/rights.tsx'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import { ChannelList } from '../parts/channel-list.tsx'

const CreateChannel = lazy(async () => ({
  default: (await import('#blocks/channel-form/create-channel.tsx')).CreateChannel,
}))
const DeliveryList = lazy(async () => ({ default: (await import('../parts/delivery-list.tsx')).DeliveryList }))
const EditChannelForm = lazy(async () => ({ default: (await import('../parts/channel-form.tsx')).EditChannelForm }))

const tabs = ['channel', 'log'] as const
const tabLabels: Record<(typeof tabs)[number], string> = { channel: '通知渠道', log: '发送记录' }
/** The form's own address; the others name what the log shows. */
const state = z.object({
  tab: z.enum(tabs),
  create: z.string(),
  'log.channelID': z.string(),
  'log.state': z.string(),
  'log.page': z.string(),
})
const start = { tab: 'channel' as const, create: '', 'log.channelID': '', 'log.state': '', 'log.page': '' }

/** screens.md 27: notification channels with a test button, and what became of notifications. */
export function NotifyScreen() {
  const phone = usePhone()
  const [{ tab, create }, set] = useUrlState(state, start)
  const [edit, setEdit] = useState<{ channel: Channel; open: boolean; session: number }>()
  const { data } = useQuery(allChannelsQuery)
  const mailReady = data?.mailReady ?? true
  // It stays while it closes.
  const [created, setCreated] = useState(false)
  if (create !== '' && !created) setCreated(true)
  const openCreate = () => set({ create: '1' })
  const panes = {
    channel: (
      <>
        {!mailReady && data?.list.some(({ type }) => type === 'email') && <MailWarning />}
        <ChannelList
          onCreate={openCreate}
          onEdit={(channel) => setEdit((before) => ({ channel, open: true, session: (before?.session ?? 0) + 1 }))}
          onLog={(channel, wanted) =>
            set({
              tab: 'log',
              'log.channelID': String(channel.id),
              'log.state': wanted === undefined ? '' : String(wanted),
              'log.page': '',
            })
          }
        />
      </>
    ),
    log: (
      <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
        <DeliveryList />
      </Suspense>
    ),
  }
  return (
    <>
      <PageHeading
        title={t('通知渠道')}
        subtitle={phone ? undefined : t('场景和告警把消息送到哪里，以及送到了没有')}
        extra={
          <ActButton needs={createChannel} type="primary" icon={<PlusOutlined />} onClick={openCreate}>
            {t('新增渠道')}
          </ActButton>
        }
      />
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => set({ tab: tabs.find((one) => one === key) })}
        items={tabs.map((key) => ({ key, label: t(tabLabels[key]), children: key === tab ? panes[key] : null }))}
      />
      <Suspense>
        {created && <CreateChannel open={create !== ''} mailReady={mailReady} onClose={() => set({ create: '' })} />}
        {edit && (
          <EditChannelForm
            key={edit.session}
            channel={edit.channel}
            open={edit.open}
            mailReady={mailReady}
            onClose={() => setEdit({ ...edit, open: false })}
          />
        )}
      </Suspense>
    </>
  )
}
