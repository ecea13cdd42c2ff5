/** Notification channels, several at once; made for scenes and alarms. */

import {
  ApiOutlined,
  DingtalkOutlined,
  MailOutlined,
  PlusOutlined,
  SendOutlined,
  WechatWorkOutlined,
} from '@ant-design/icons'
import { type Channel, ChannelStatus, createChannel, listChannels } from '@ithings/contract/features/notify.ts'
import { type ChannelType, channelTypeLabels } from '@ithings/contract/rules/scene-parts.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Button, Select, Tooltip } from 'antd'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { call } from '#api/call.ts'
import { May } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import './channel-picker.css'

const icons: Record<ChannelType, ComponentType> = {
  webhook: ApiOutlined,
  email: MailOutlined,
  dingtalk: DingtalkOutlined,
  wecom: WechatWorkOutlined,
  feishu: SendOutlined,
}

export function ChannelTypeIcon({ type }: { type: ChannelType }) {
  const Icon = icons[type]
  return (
    <Tooltip title={channelTypeLabels[type]}>
      <span className="channel-icon" role="img" aria-label={channelTypeLabels[type]}>
        <Icon />
      </span>
    </Tooltip>
  )
}

/** There are at most a few hundred, so all of them come at once. */
export const allChannelsQuery = queryOptions({
  queryKey: [listChannels.path, {}],
  queryFn: ({ signal }) => call(listChannels, {}, { signal, quiet: true }),
})

export const notifyPath = '/alarmMangers/notify/index'

interface ChannelOption {
  value: number
  label: string
  channel: Channel | undefined
}

/** What is chosen but gone is still shown, so that it can be taken out. */
export function channelOptions(channels: readonly Channel[], chosen: readonly number[]): ChannelOption[] {
  const known = new Set(channels.map(({ id }) => id))
  return [
    ...channels.map((channel) => ({ value: channel.id, label: channel.name, channel })),
    ...chosen
      .filter((id) => !known.has(id))
      .map((id) => ({ value: id, label: `渠道 ${id}（已删除）`, channel: undefined })),
  ]
}

function OptionText({ label, channel }: Omit<ChannelOption, 'value'>) {
  return (
    <span className="channel-option">
      {channel && <ChannelTypeIcon type={channel.type} />}
      <span className="channel-option-name">{label}</span>
      {channel?.status === ChannelStatus.disabled && <span className="meta">已禁用，不会发送</span>}
    </span>
  )
}

export interface ChannelPickerProps {
  value?: readonly number[] | undefined
  onChange?: (channelIDs: number[]) => void
  disabled?: boolean
  id?: string
  placeholder?: string
  'aria-label'?: string
}

export function ChannelPicker({ value = [], onChange, disabled = false, placeholder, ...rest }: ChannelPickerProps) {
  const { data, isError, error, isPending, refetch } = useQuery(allChannelsQuery)
  // Until the names are there a number would look like a channel that is gone.
  const options = data
    ? channelOptions(data.list, value)
    : value.map((id) => ({ value: id, label: '…', channel: undefined }))
  const channelOf = (id: number) => options.find((option) => option.value === id)?.channel
  return (
    <Select<number[], ChannelOption>
      {...rest}
      mode="multiple"
      value={[...value]}
      onChange={(ids) => onChange?.(ids)}
      options={options}
      optionFilterProp="label"
      disabled={disabled}
      loading={isPending}
      placeholder={placeholder ?? '选择通知渠道'}
      style={{ width: '100%' }}
      optionRender={({ data: option }) => <OptionText label={option.label} channel={option.channel} />}
      labelRender={({ label, value: id }) => <OptionText label={String(label ?? id)} channel={channelOf(Number(id))} />}
      notFoundContent={
        isError ? (
          <span className="picker-state">
            {describeError(error).reason}
            <Button type="link" size="small" onClick={() => void refetch()}>
              重试
            </Button>
          </span>
        ) : (
          <span className="picker-state">{isPending ? '正在读取…' : '没有匹配的渠道'}</span>
        )
      }
      popupRender={(menu) => (
        <>
          {menu}
          <May needs={createChannel}>
            <div className="channel-picker-foot">
              {/* Beside what is being edited, so that nothing of it is lost; coming back reads the list again. */}
              <Link to={`${notifyPath}?create=1`} target="_blank" rel="opener">
                <PlusOutlined /> 新增渠道
              </Link>
            </div>
          </May>
        </>
      )}
    />
  )
}
