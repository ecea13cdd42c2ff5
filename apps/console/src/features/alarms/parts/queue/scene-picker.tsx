/** A scene by its name; the server searches. */
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { call } from '#api/call.ts'
import { type PickerSource, RemotePicker } from '#kit/remote-picker.tsx'

const optionOf = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name })
const quiet = { quiet: true }

const source: PickerSource = {
  key: [listScenes.path],
  search: async ({ text, page, size }) => {
    const { list, total } = await call(listScenes, { name: text, page: { page, size } }, quiet)
    return { list: list.map(optionOf), total }
  },
  resolve: async (ids) =>
    (await call(listScenes, { sceneIDs: ids.map(Number), page: { page: 1, size: ids.length } }, quiet)).list.map(
      optionOf,
    ),
}

interface ScenePickerProps {
  id: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

export const ScenePicker = (props: ScenePickerProps) => (
  <RemotePicker {...props} source={source} placeholder="全部场景" />
)
