/** An alarm or a scene by its name; the server searches. */
import { listAlarms } from '@ithings/contract/features/alarms/config.ts'
import { listScenes } from '@ithings/contract/features/scenes.ts'
import { call } from '#api/call.ts'
import { type PickerSource, RemotePicker } from '#kit/remote-picker.tsx'

const optionOf = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name })
const quiet = { quiet: true }
const whole = { page: 1, size: 100 }

const alarmSource: PickerSource = {
  key: [listAlarms.path],
  search: async ({ text, page, size }) => {
    const { list, total } = await call(listAlarms, { name: text, page: { page, size } }, quiet)
    return { list: list.map(optionOf), total }
  },
  resolve: async (ids) =>
    (await call(listAlarms, { alarmIDs: ids.map(Number), page: whole }, quiet)).list.map(optionOf),
}

const sceneSource: PickerSource = {
  key: [listScenes.path],
  search: async ({ text, page, size }) => {
    const { list, total } = await call(listScenes, { name: text, page: { page, size } }, quiet)
    return { list: list.map(optionOf), total }
  },
  resolve: async (ids) =>
    (await call(listScenes, { sceneIDs: ids.map(Number), page: whole }, quiet)).list.map(optionOf),
}

interface PickerProps {
  id: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

export const AlarmPicker = (props: PickerProps) => (
  <RemotePicker {...props} source={alarmSource} placeholder="全部告警" />
)
export const ScenePicker = (props: PickerProps) => (
  <RemotePicker {...props} source={sceneSource} placeholder="全部场景" />
)
