import {
  createScene,
  deleteScene,
  type Scene,
  SceneStatus,
  triggerScene,
  updateScene,
} from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { useNavigate } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import { downloadText } from '#kit/download.ts'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { scenePath } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { bodyOf, useSceneWork } from '../queries.ts'
import { copyName, packScenes } from '../scene-file.ts'
import { Sentence } from './scene-rule.tsx'

const quoted = (names: readonly string[]) => t('「{names}」', { names: names.join(t('」「')) })

/** One that alarms rely on is not deleted; said before the server refuses. */
export const whyKept = ({ alarms }: Pick<Scene, 'alarms'>): string | undefined =>
  alarms.length > 0
    ? t('它关联着告警{names}，请先在告警配置中解除关联。', { names: quoted(alarms.map(({ name }) => name)) })
    : undefined

export const whyNotRun = ({ status, triggerType }: Pick<Scene, 'status' | 'triggerType'>): string | undefined => {
  if (triggerType !== 'manual') return t('只有手动触发的场景可以执行')
  return status === SceneStatus.enabled ? undefined : t('场景未启用')
}

function useRemove(): (scene: Scene) => void {
  const { modal } = App.useApp()
  const confirm = useConfirm()
  const work = useSceneWork()
  return (scene: Scene) => {
    const reason = whyKept(scene)
    if (reason) {
      modal.info({ title: t('不能删除场景「{name}」', { name: scene.name }), content: reason, okText: t('知道了') })
      return
    }
    confirm({
      title: t('删除场景「{name}」？', { name: scene.name }),
      content:
        scene.status === SceneStatus.enabled
          ? t('它正在启用，删除后不再触发。规则和它的执行记录一并删除，不可恢复；已经产生的告警记录保留。')
          : t('规则和它的执行记录一并删除，不可恢复；已经产生的告警记录保留。'),
      danger: true,
      okText: t('删除'),
      onOk: () => work.remove(scene.id),
      done: t('删除成功'),
    })
  }
}

const failures = { copy: '复制失败：{reason}', export: '导出失败：{reason}' }

/** @param showLog opens the runs of a scene */
export function useSceneActions(showLog: (scene: Scene) => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const work = useSceneWork()
  const remove = useRemove()
  const may = useMay()

  const orTell = (failure: string, job: Promise<unknown>) =>
    void job.catch((error: unknown) => message.error(t(failure, { reason: describeError(error).reason })))

  const save = (scenes: readonly Scene[]) => {
    const [first] = scenes
    const name =
      scenes.length === 1 && first
        ? first.name.replace(/[\\/:*?"<>|\s]+/g, '_')
        : t('{count}个场景', { count: scenes.length })
    downloadText(packScenes(scenes), t('{name}-场景.json', { name }))
    void message.success(t('已导出 {count} 个场景', { count: scenes.length }))
  }

  const run = (scene: Scene) =>
    confirm({
      title: t('执行场景「{name}」？', { name: scene.name }),
      content: (
        <RichText
          text={t('将立即执行：<0/>。手动执行不判断条件，已下发的操作无法撤回。')}
          parts={[
            scene.thenText.length > 0 ? (
              <Sentence key="then" parts={scene.thenText} />
            ) : (
              <span key="then">{t('没有动作')}</span>
            ),
          ]}
        />
      ),
      okText: t('执行'),
      onOk: async () => {
        await work.trigger(scene.id)
        void message.success(t('已开始执行「{name}」', { name: scene.name }))
        showLog(scene)
      },
    })

  const copy = async (scene: Scene) => {
    const name = copyName(scene.name, await work.takenNames(scene.name.slice(0, 32)))
    await work.create({ ...bodyOf(scene), name, status: SceneStatus.disabled })
    void message.success(t('已复制为「{name}」，未启用', { name }))
  }

  const actionsOf = (scene: Scene): RowAction[] => {
    const edit = {
      key: 'edit',
      label: may(updateScene) ? t('编辑') : t('查看'),
      onClick: () => void navigate(scenePath(scene.id)),
    }
    const log = { key: 'log', label: t('执行记录'), onClick: () => showLog(scene) }
    const why = whyNotRun(scene)
    const start = {
      key: 'run',
      label: t('执行'),
      needs: triggerScene,
      onClick: () => run(scene),
      ...(why && { disabled: true, hint: why }),
    }
    return [
      ...(scene.triggerType === 'manual' ? [edit, start, log] : [edit, log]),
      { key: 'copy', label: t('复制'), needs: createScene, onClick: () => orTell(failures.copy, copy(scene)) },
      { key: 'export', label: t('导出'), onClick: () => save([scene]) },
      { key: 'delete', label: t('删除'), needs: deleteScene, danger: true, onClick: () => remove(scene) },
    ]
  }
  return {
    actionsOf,
    exportScenes: save,
    exportAll: (filter: Parameters<typeof work.readAll>[0]) => orTell(failures.export, work.readAll(filter).then(save)),
  }
}
