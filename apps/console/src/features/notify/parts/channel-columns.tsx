import { type Channel, ChannelStatus, updateChannel } from '@ithings/contract/features/notify.ts'
import { channelTypeLabels } from '@ithings/contract/rules/channel-types.ts'
import { t } from '@ithings/contract/text.ts'
import { Switch, Tooltip } from 'antd'
import { targetText } from '#blocks/channel-form/channel-values.ts'
import { ChannelTypeIcon } from '#blocks/channel-type-icon.tsx'
import { enabledOptions } from '#blocks/enabled-status.ts'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { May, useMay } from '#kit/rights.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { channelStatusLabels, channelTypeOptions, deliveryLooks } from '../labels.ts'
import { useChannelStatus } from '../queries.ts'
import './notify.css'
import { numberText } from '#kit/number-text.ts'

export const channelFilters: FilterField[] = [
  { name: 'name', label: '名称', control: 'text', width: 176 },
  { name: 'type', label: '类型', control: 'select', options: channelTypeOptions, width: 152 },
  { name: 'status', label: '状态', control: 'select', options: enabledOptions, width: 112 },
]

function StatusSwitch({ channel }: { channel: Channel }) {
  const may = useMay()
  const { mutate, isPending } = useChannelStatus()
  const on = channel.status === ChannelStatus.enabled
  return (
    <Switch
      size="small"
      aria-label={t('启用 {name}', { name: channel.name })}
      disabled={!may(updateChannel)}
      checked={on}
      loading={isPending}
      onChange={(next) => mutate({ channel, status: next ? ChannelStatus.enabled : ChannelStatus.disabled })}
    />
  )
}

function LastResult({ channel }: { channel: Channel }) {
  if (channel.lastState === 0) return <span className="no-value">{t('从未发送')}</span>
  const status = <StatusTag looks={deliveryLooks} value={channel.lastState} />
  return (
    <span className="inline-row gap-8">
      {channel.lastError ? <Tooltip title={channel.lastError}>{status}</Tooltip> : status}
      <span className="meta">
        <TimeText value={channel.lastSentTime} />
      </span>
    </span>
  )
}

/** Both figures lead to what they count. */
function DayCounts({ channel, onLog }: { channel: Channel; onLog: (channel: Channel, state?: number) => void }) {
  return (
    <span className="inline-row gap-8">
      <button type="button" className="plain-button" onClick={() => onLog(channel, 2)}>
        {numberText(channel.sent)}
      </button>
      <span className="meta">/</span>
      <button
        type="button"
        className={channel.failed > 0 ? 'plain-button error-text' : 'plain-button'}
        onClick={() => onLog(channel, 3)}
      >
        {numberText(channel.failed)}
      </button>
    </span>
  )
}

interface ColumnParts {
  onEdit: (channel: Channel) => void
  onLog: (channel: Channel, state?: number) => void
}

export const channelColumns = ({ onEdit, onLog }: ColumnParts): ListColumn<Channel>[] => [
  {
    key: 'name',
    title: t('名称'),
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, channel) => (
      <May needs={updateChannel} else={channel.name}>
        <button type="button" className="plain-button link" onClick={() => onEdit(channel)}>
          {channel.name}
        </button>
      </May>
    ),
    exportText: (channel) => channel.name,
  },
  {
    key: 'type',
    title: t('类型'),
    sorter: true,
    phone: 'meta',
    render: (_value, channel) => (
      <span className="nowrap inline-row gap-8">
        <ChannelTypeIcon type={channel.type} />
        {t(channelTypeLabels[channel.type])}
      </span>
    ),
    exportText: (channel) => t(channelTypeLabels[channel.type]),
  },
  {
    key: 'target',
    title: t('发往'),
    truncate: 240,
    phone: 'subtitle',
    render: (_value, channel) => targetText(channel),
    exportText: targetText,
  },
  {
    key: 'status',
    title: t('状态'),
    sorter: true,
    width: 80,
    phone: 'status',
    render: (_value, channel) => <StatusSwitch channel={channel} />,
    labels: channelStatusLabels,
  },
  {
    key: 'last',
    title: t('最近结果'),
    phone: 'meta',
    render: (_value, channel) => <LastResult channel={channel} />,
    exportText: (channel) =>
      `${labelOf({ 0: t('从未发送'), 1: t('发送中'), 2: t('已送达'), 3: t('失败') }, channel.lastState)} ${channel.lastError}`.trim(),
  },
  {
    key: 'day',
    title: t('24 小时送达/失败'),
    align: 'right',
    phone: 'meta',
    render: (_value, channel) => <DayCounts channel={channel} onLog={onLog} />,
    exportText: (channel) => `${channel.sent}/${channel.failed}`,
  },
  { key: 'desc', title: t('说明'), dataIndex: 'desc', truncate: 200, hiddenAtFirst: true },
  { key: 'createdTime', title: t('创建时间'), sorter: true, hiddenAtFirst: true, time: 'exact' },
]
