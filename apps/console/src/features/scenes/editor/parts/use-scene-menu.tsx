import { createScene, deleteScene, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
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
      void message.success(t('已复制为「{name}」，未启用', { name }))
      void navigate(scenePath(id))
    } catch (error) {
      void message.error(t('不能复制：{reason}', { reason: describeError(error).reason }))
    }
  }
  return held([
    {
      key: 'copy',
      needs: createScene,
      label: dirty ? t('复制（请先保存修改）') : t('复制'),
      disabled: dirty,
      onClick: () => void copy(),
    },
    {
      key: 'export',
      label: t('导出 JSON'),
      onClick: () => downloadText(packScenes([scene]), t('场景-{name}.json', { name: scene.name })),
    },
    {
      key: 'delete',
      needs: deleteScene,
      label: dirty ? t('删除（请先保存或放弃修改）') : t('删除'),
      disabled: dirty,
      onClick: () =>
        confirm({
          title: t('删除场景「{name}」？', { name: scene.name }),
          content: t('规则和它的执行记录一并删除，不可恢复；已经产生的告警记录保留。'),
          danger: true,
          okText: t('删除'),
          onOk: async () => {
            await work.remove(scene.id)
            void message.success(t('删除成功'))
            void navigate(paths.scenes)
          },
        }),
    },
  ])
}
