import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { ForwardRule, recentForwards } from '@ithings/contract/features/forwarding/rules.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Collapse, Tag } from 'antd'
import { DeviceLink } from '#blocks/device-link.tsx'
import { FactList } from '#blocks/facts.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { Loaded, Stale } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { recentQuery } from '../queries.ts'
import { sourceText } from '../words.ts'

type Sent = DataOf<typeof recentForwards>['list'][number]

const Head = ({ sent }: { sent: Sent }) => (
  <span className="row wrap gap-8">
    <TimeText value={sent.sentTime} mode="log" />
    <Tag variant="outlined" className="bare">
      {sourceText(sent.source)}
    </Tag>
    <span className="mono anywhere">{sent.deviceName}</span>
  </span>
)

const Body = ({ sent }: { sent: Sent }) => (
  <div className="column gap-12">
    <FactList
      facts={[
        sent.deviceName !== '' && { label: t('设备'), value: <DeviceLink device={sent} /> },
        { label: t('发生时间'), value: <TimeText value={sent.time} mode="log" /> },
        { label: t('消息编号'), value: <Copyable text={sent.messageID} /> },
      ]}
    />
    <JsonView value={sent.body} />
  </div>
)

interface RecentDrawerProps {
  rule: ForwardRule
  open: boolean
  onClose: () => void
}

/** The last ten as they were sent, the latest first. */
export function RecentDrawer({ rule, open, onClose }: RecentDrawerProps) {
  const recent = useQuery({ ...recentQuery(rule.id), enabled: open })
  return (
    <SideDrawer
      title={t('「{name}」最近发送的 10 条消息', { name: rule.name })}
      open={open}
      onClose={onClose}
      width={720}
      keep
    >
      <Stale query={recent} />
      <Loaded query={recent} subject={t('最近消息')}>
        {({ list }) =>
          list.length === 0 ? (
            <StateBlock
              variant="empty"
              title={t('还没有发送过消息')}
              text={t('符合来源和筛选条件的消息发送后，原样显示在这里。')}
            />
          ) : (
            <Collapse
              accordion
              items={list.map((sent) => ({
                // A message may have been sent twice.
                key: `${sent.messageID} ${sent.sentTime}`,
                label: <Head sent={sent} />,
                children: <Body sent={sent} />,
              }))}
            />
          )
        }
      </Loaded>
    </SideDrawer>
  )
}
