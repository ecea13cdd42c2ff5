import { ChannelStatus } from '@ithings/contract/features/notify.ts'
import { channelTypeLabels } from '@ithings/contract/rules/scene-parts.ts'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { Link } from 'react-router'
import { describeError } from '#kit/states/describe-error.ts'
import { channelsQuery } from '../editor-queries.ts'

interface ChannelSelectProps {
  value: number[]
  onChange: (channelIDs: number[]) => void
}

export function ChannelSelect({ value, onChange }: ChannelSelectProps) {
  const { data, error, isPending } = useQuery(channelsQuery)
  const known = data?.list ?? []
  const gone = value.filter((id) => data && !known.some((channel) => channel.id === id))
  return (
    <Select
      mode="multiple"
      aria-label="通知渠道"
      className="scene-wide"
      placeholder="选择通知渠道"
      maxCount={20}
      loading={isPending}
      value={value}
      showSearch={{ optionFilterProp: 'label' }}
      options={[
        ...known.map(({ id, name, type, status }) => ({
          value: id,
          label: name,
          hint: `${channelTypeLabels[type]}${status === ChannelStatus.disabled ? '，已停用' : ''}`,
        })),
        ...gone.map((id) => ({ value: id, label: `渠道 ${id}（已删除）`, hint: '' })),
      ]}
      optionRender={({ data: option }) => (
        <span className="picker-option">
          <span>{option.label}</span>
          <span className="picker-hint">{option.hint}</span>
        </span>
      )}
      notFoundContent={
        <span className="picker-state">
          {error ? describeError(error).reason : <Link to="/alarmMangers/notify/index">还没有通知渠道，去新建</Link>}
        </span>
      }
      onChange={onChange}
    />
  )
}
