import { ChannelStatus, listChannels } from '@ithings/contract/features/notify.ts'
import { call } from '#api/call.ts'
import { type PickerSource, RemotePicker } from '#kit/remote-picker.tsx'

const everyChannel = { page: 1, size: 1000 }
const optionOf = ({ id, name, status }: { id: number; name: string; status: number }) => ({
  value: String(id),
  label: status === ChannelStatus.enabled ? name : `${name}（已禁用）`,
})

const source: PickerSource = {
  key: [listChannels.path],
  search: async ({ text, page, size }) => {
    const { list, total } = await call(listChannels, { name: text, page: { page, size } }, { quiet: true })
    return { list: list.map(optionOf), total }
  },
  resolve: async (ids) => {
    const { list } = await call(listChannels, { page: everyChannel }, { quiet: true })
    return list.map(optionOf).filter(({ value }) => ids.includes(value))
  },
}

interface ChannelSelectProps {
  id?: string
  value?: number[]
  onChange?: (ids: number[]) => void
}

/** Notification channels by name; the server searches. */
export const ChannelSelect = ({ id, value, onChange }: ChannelSelectProps) => (
  <RemotePicker
    multiple
    {...(id && { id })}
    source={source}
    placeholder="选择通知渠道"
    value={value?.map(String)}
    onChange={(ids) => onChange?.(ids.map(Number))}
  />
)
