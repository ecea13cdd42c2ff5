/** Notification channels, several at once; made for scenes and alarms. */

import { type Channel, ChannelStatus, createChannel } from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { PickerCreate } from '#kit/picker-create.tsx'
import { May, useLocked } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { ChannelTypeIcon } from './channel-type-icon.tsx'
import { allChannelsQuery } from './channels-query.ts'

const CreateChannel = lazy(async () => ({ default: (await import('./channel-form/create-channel.tsx')).CreateChannel }))

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
      .map((id) => ({ value: id, label: t('渠道 {id}（已删除）', { id }), channel: undefined })),
  ]
}

function OptionText({ label, channel }: Omit<ChannelOption, 'value'>) {
  return (
    <span className="channel-option fit inline-row gap-8">
      {channel && <ChannelTypeIcon type={channel.type} />}
      <span className="channel-option-name cut">{label}</span>
      {channel?.status === ChannelStatus.disabled && <span className="meta">{t('已禁用，不会发送')}</span>}
    </span>
  )
}

/** Chosen ones in a sentence. */
export function ChannelNames({ channelIDs }: { channelIDs: readonly number[] }) {
  const { data } = useQuery(allChannelsQuery)
  return <b>{channelIDs.map((id) => data?.list.find((one) => one.id === id)?.name ?? '…').join(t('、'))}</b>
}

export interface ChannelPickerProps {
  value?: readonly number[] | undefined
  onChange?: (channelIDs: number[]) => void
  disabled?: boolean
  id?: string
  placeholder?: string
  /** Only channels of these types; without it all. */
  types?: readonly string[]
  'aria-label'?: string
}

export function ChannelPicker({ value = [], onChange, disabled, placeholder, types, ...rest }: ChannelPickerProps) {
  const locked = useLocked()
  const [open, setOpen] = useState(false)
  const [creating, setCreating] = useState<boolean>()
  const { data, isError, error, isPending, refetch } = useQuery(allChannelsQuery)
  // Until the names are there a number would look like a channel that is gone.
  const options = data
    ? channelOptions(data.list, value).filter(
        ({ value: id, channel }) => !types || !channel || types.includes(channel.type) || value.includes(id),
      )
    : value.map((id) => ({ value: id, label: '…', channel: undefined }))
  const channelOf = (id: number) => options.find((option) => option.value === id)?.channel
  const select = (
    <Select<number[], ChannelOption>
      {...rest}
      open={open}
      onOpenChange={setOpen}
      mode="multiple"
      value={[...value]}
      onChange={(ids) => onChange?.(ids)}
      options={options}
      optionFilterProp="label"
      disabled={disabled || locked}
      loading={isPending}
      placeholder={placeholder ?? t('选择通知渠道')}
      style={{ width: '100%' }}
      optionRender={({ data: option }) => <OptionText label={option.label} channel={option.channel} />}
      labelRender={({ label, value: id }) => <OptionText label={String(label ?? id)} channel={channelOf(Number(id))} />}
      notFoundContent={
        isError ? (
          <span className="picker-state row center quiet">
            {describeError(error).reason}
            <Button type="link" size="small" onClick={() => void refetch()}>
              {t('重试')}
            </Button>
          </span>
        ) : (
          <span className="picker-state row center quiet">{isPending ? t('正在读取…') : t('没有匹配的渠道')}</span>
        )
      }
      popupRender={(menu) => (
        <>
          {menu}
          <May needs={createChannel}>
            <PickerCreate
              text={t('新增渠道')}
              onClick={() => {
                setOpen(false)
                setCreating(true)
              }}
            />
          </May>
        </>
      )}
    />
  )
  return (
    <>
      {select}
      {creating !== undefined && (
        <Suspense>
          <CreateChannel
            open={creating}
            mailReady={data?.mailReady ?? true}
            onClose={() => setCreating(false)}
            onCreated={(id) => onChange?.([...value, id])}
          />
        </Suspense>
      )}
    </>
  )
}
