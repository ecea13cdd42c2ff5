import { createScene, deleteScene, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { App, type MenuProps } from 'antd'
import { useNavigate } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import { downloadText } from '#kit/download.ts'
import { paths, scenePath } from '#kit/paths.ts'
import { useHeld } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { bodyOf, useSceneWork } from '../../queries.ts'
import { copyName, packScenes } from '../../scene-file.ts'
import { useEditor } from '../editor-context.ts'

/** The rare actions; they are about the saved version. */
export function useSceneMenu(dirty: boolean): NonNullable<MenuProps['items']> {
  const { scene } = useEditor()
  const { message } = App.useApp()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const work = useSceneWork()
  const held = useHeld()
  if (!scene) return []
  const copy = async () => {
    try {
      const name = copyName(scene.name, await work.takenNames(scene.name.slice(0, 60)))
      // A copy must not act before somebody has looked at it.
      const { id } = await work.create({ ...bodyOf(scene), name, status: SceneStatus.disabled })
      void message.success(`已复制为「${name}」，未启用`)
      void navigate(scenePath(id))
    } catch (error) {
      void message.error(`不能复制：${describeError(error).reason}`)
    }
  }
  return held([
    {
      key: 'copy',
      needs: createScene,
      label: dirty ? '复制（请先保存修改）' : '复制',
      disabled: dirty,
      onClick: () => void copy(),
    },
    {
      key: 'export',
      label: '导出 JSON',
      onClick: () => downloadText(packScenes([scene]), `场景-${scene.name}.json`),
    },
    {
      key: 'delete',
      needs: deleteScene,
      label: dirty ? '删除（请先保存或放弃修改）' : '删除',
      disabled: dirty,
      onClick: () =>
        confirm({
          title: `删除场景「${scene.name}」？`,
          content: '规则和它的执行记录一并删除，不可恢复；已经产生的告警记录保留。',
          danger: true,
          okText: '删除',
          onOk: async () => {
            await work.remove(scene.id)
            void message.success('删除成功')
            void navigate(paths.scenes)
          },
        }),
    },
  ])
}
