import { type Delivery, DeliveryState, deliveryStateLabels } from '@ithings/contract/features/notify.ts'
import { channelTypeLabels } from '@ithings/contract/rules/channel-types.ts'
import { t } from '@ithings/contract/text.ts'
import { Tooltip } from 'antd'
import { Latency } from '#blocks/channel-form/test-result.tsx'
import { ChannelTypeIcon } from '#blocks/channel-type-icon.tsx'
import type { FilterField, FilterOption, ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { clockTime, formatTime } from '#kit/time.ts'
import { TimePreset } from '#kit/time-choice.ts'
import { channelTypeOptions, deliveryLooks, deliveryStateOptions, sourceLabels, sourceOptions } from '../labels.ts'
import './notify.css'

/** Channels are absent until they are read: a filter in the URL must count from the first request on. */
export const deliveryFilters = (channels: FilterOption[] | undefined): FilterField[] => [
  { name: 'channelID', label: t('渠道'), control: 'select', width: 176, ...(channels && { options: channels }) },
  { name: 'state', label: t('状态'), control: 'select', options: deliveryStateOptions, width: 112 },
  { name: 'keyword', label: t('关键字'), control: 'text', width: 176, placeholder: t('标题、内容、设备、错误') },
  { name: 'time', label: t('时间'), control: 'time', initial: String(TimePreset.week) },
  { name: 'type', label: t('类型'), control: 'select', options: channelTypeOptions, width: 152, advanced: true },
  { name: 'source', label: t('来源'), control: 'select', options: sourceOptions, width: 112, advanced: true },
]

export const sourceText = ({ source, sourceName }: Delivery): string =>
  source === 'test' ? t('测试') : `${labelOf(sourceLabels, source)} ${sourceName}`

/** A delivery without a channel was tried out before it was saved, or addressed by a scene itself. */
export function channelText({ channelName, type, source }: Delivery): string {
  const values = { type: t(channelTypeLabels[type]) }
  return channelName || (source === 'test' ? t('{type}（未保存）', values) : t('{type}（场景内填写）', values))
}

function State({ delivery }: { delivery: Delivery }) {
  const { state, attempts, nextTime } = delivery
  return (
    <span className="inline-row gap-8">
      <StatusTag looks={deliveryLooks} value={state} />
      {state === DeliveryState.waiting && attempts > 0 && (
        <Tooltip title={t('下次尝试 {time}', { time: formatTime(nextTime) })}>
          <span className="meta">{t('{time} 重试', { time: clockTime(nextTime) })}</span>
        </Tooltip>
      )}
    </span>
  )
}

const titleColumn = (onShow: (delivery: Delivery) => void): ListColumn<Delivery> => ({
  key: 'title',
  title: t('通知'),
  hideable: false,
  phone: 'title',
  render: (_value, row) => (
    <button type="button" className="plain-button link cut" style={{ maxWidth: 280 }} onClick={() => onShow(row)}>
      {row.title}
    </button>
  ),
  exportText: (row) => row.title,
})

const otherColumns: readonly ListColumn<Delivery>[] = [
  {
    key: 'channelName',
    title: '渠道',
    phone: 'meta',
    render: (_value, row) => (
      <span className="nowrap inline-row gap-8">
        <ChannelTypeIcon type={row.type} />
        {channelText(row)}
      </span>
    ),
    exportText: channelText,
  },
  { key: 'target', title: '发往', dataIndex: 'target', truncate: 200, hiddenAtFirst: true },
  {
    key: 'source',
    title: '来源',
    phone: 'subtitle',
    truncate: 180,
    render: (_value, row) => sourceText(row),
    exportText: sourceText,
  },
  { key: 'deviceName', title: '设备', dataIndex: 'deviceName', truncate: 160, hiddenAtFirst: true },
  {
    key: 'state',
    title: '状态',
    sorter: true,
    phone: 'status',
    render: (_value, row) => <State delivery={row} />,
    labels: deliveryStateLabels,
  },
  { key: 'attempts', title: '次数', dataIndex: 'attempts', align: 'right', width: 64 },
  {
    key: 'error',
    title: '失败原因',
    dataIndex: 'error',
    truncate: 160,
    render: (_value, row) =>
      row.error ? (
        <span className={row.state === DeliveryState.sent ? 'meta' : 'error-text'}>{row.error}</span>
      ) : (
        <span className="no-value">—</span>
      ),
  },
  {
    key: 'latency',
    title: '耗时',
    align: 'right',
    width: 96,
    hiddenAtFirst: true,
    render: (_value, row) => (row.attempts > 0 ? <Latency ms={row.latency} /> : <span className="no-value">—</span>),
    exportText: (row) => `${row.latency} ms`,
  },
  { key: 'createdTime', title: '产生时间', sorter: true, phone: 'meta', time: 'exact' },
  { key: 'sentTime', title: '送达时间', sorter: true, hiddenAtFirst: true, time: 'exact' },
]

export const deliveryColumns = (onShow: (delivery: Delivery) => void): ListColumn<Delivery>[] => [
  titleColumn(onShow),
  ...otherColumns,
]
