import { listScenes, type Scene } from '@ithings/contract/features/scenes/info.ts'
import { sceneLimits } from '@ithings/contract/rules/scene-parts.ts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { call } from '#api/call.ts'
import { scenePath } from '#blocks/scene-paths.ts'
import { type PickerSource, RemotePicker } from '#kit/remote-picker.tsx'
import { useEditor } from '../editor-context.ts'
import { runsScene } from '../logic/runs-scene.ts'
import { Field } from '../parts/field.tsx'

const quiet = { quiet: true }

/** Scenes that would lead back here are not offered; longer ways round are refused by the platform on saving. */
const sceneSource = (self: number | undefined): PickerSource => {
  const optionOf = ({ id, name, then }: Scene) => {
    const why = id === self ? '当前场景' : self !== undefined && runsScene(then, self) ? '会形成循环' : ''
    return { value: String(id), label: name, disabled: why !== '', ...(why && { hint: why }) }
  }
  return {
    key: [listScenes.path, 'choose', self],
    search: async ({ text, page, size }) => {
      const { list, total } = await call(listScenes, { name: text, page: { page, size } }, quiet)
      return { list: list.map(optionOf), total }
    },
    resolve: async (ids) => {
      const body = { sceneIDs: ids.map(Number), page: { page: 1, size: ids.length } }
      return (await call(listScenes, body, quiet)).list.map(optionOf)
    },
  }
}

interface SceneStepProps {
  item: string
  value: { sceneID: number }
  onChange: (value: { sceneID: number }) => void
}

export function SceneStep({ item, value, onChange }: SceneStepProps) {
  const { scene } = useEditor()
  const self = scene?.id
  const source = useMemo(() => sceneSource(self), [self])
  return (
    <div className="scene-row">
      <span className="scene-word">执行</span>
      <Field item={item} name="scene.sceneID" width={280}>
        <RemotePicker
          aria-label="场景"
          placeholder="选择场景"
          allowClear={false}
          source={source}
          value={value.sceneID ? String(value.sceneID) : undefined}
          onChange={(id) => onChange({ sceneID: Number(id ?? 0) })}
        />
      </Field>
      {value.sceneID > 0 && (
        <Link to={scenePath(value.sceneID)} target="_blank">
          查看
        </Link>
      )}
      <span className="meta">直接执行它的动作；禁用的场景不会执行，最多连续 {sceneLimits.chainDepth} 层。</span>
    </div>
  )
}
