/** An alarm by its name; the server searches. */

import { listAlarms } from '@ithings/contract/features/alarms/config.ts'
import { t } from '@ithings/contract/text.ts'
import { call } from '#api/call.ts'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { type PickerSource, RemotePicker } from '#kit/remote-picker.tsx'

const quiet = { quiet: true }
const optionOf = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name })

export const alarmSource: PickerSource = {
  key: [listAlarms.path],
  search: async ({ text, page, size }) => {
    const { list, total } = await call(listAlarms, { name: text, page: { page, size } }, quiet)
    return { list: list.map(optionOf), total }
  },
  resolve: async (ids) => {
    const { list } = await call(listAlarms, { alarmIDs: ids.map(Number), page: { page: 1, size: ids.length } }, quiet)
    return list.map(optionOf)
  },
}

type AlarmPickerProps = Parameters<NonNullable<FilterField['render']>>[0] & { 'aria-label'?: string }

export const AlarmPicker = (props: AlarmPickerProps) => (
  <RemotePicker {...props} source={alarmSource} placeholder={t('全部告警')} />
)
