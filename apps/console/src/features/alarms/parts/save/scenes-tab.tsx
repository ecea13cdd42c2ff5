import { PlusOutlined } from '@ant-design/icons'
import { type AlarmInfo, addScenes, unlinkScene } from '@ithings/contract/features/alarms/config.ts'
import { createScene, type Scene, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert } from 'antd'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { newScenePath, scenePath } from '#kit/paths.ts'
import { ActButton, useMay } from '#kit/rights.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { scenesQuery, useAlarmWork } from '../../queries.ts'
import { sceneColumns } from './scene-columns.tsx'

// Behind its button: the tab does not wait for it.
const LinkScenes = lazy(async () => ({ default: (await import('./link-scenes.tsx')).LinkScenes }))

/** Which scenes raise this alarm and which clear it. */
export function ScenesTab({ alarm }: { alarm: AlarmInfo }) {
  const navigate = useNavigate()
  const confirm = useConfirm()
  const may = useMay()
  const work = useAlarmWork()
  const linking = useDialog()
  const askUnlink = (scene: Scene) =>
    confirm({
      title: t('解除与场景「{name}」的关联？', { name: scene.name }),
      content: t('场景本身不变，只是不再触发或解除这个告警；已有的记录保留。'),
      okText: t('解除关联'),
      onOk: () => work.unlink(alarm.id, scene.id),
      done: t('解绑成功', { context: 'scene' }),
    })
  return (
    <>
      {alarm.raisingCount === 0 && (
        <Alert
          className="save-warning"
          type="warning"
          showIcon
          title={t('还没有场景会触发这个告警')}
          description={t('关联至少一个带有「触发告警」动作的场景，启用后才会产生记录。')}
        />
      )}
      <ListPage<Scene, object>
        embedded
        title={t('关联场景')}
        urlPrefix="s."
        columns={sceneColumns}
        rowKey={(row) => String(row.id)}
        storageKey="alarm-scenes"
        query={({ page }) => scenesQuery({ alarmID: alarm.id, page })}
        rowActions={(scene) => [
          {
            key: 'edit',
            label: may(updateScene) ? t('编辑场景') : t('查看场景'),
            onClick: () => void navigate(scenePath(scene.id)),
          },
          {
            key: 'unlink',
            label: t('解绑', { context: 'scene' }),
            needs: unlinkScene,
            onClick: () => askUnlink(scene),
          },
        ]}
        toolbar={
          <span className="save-toolbar inline-row wrap gap-8">
            <ActButton needs={addScenes} type="primary" icon={<PlusOutlined />} onClick={() => linking.show(undefined)}>
              {t('关联场景', { context: 'act' })}
            </ActButton>
            <ActButton
              needs={createScene}
              onClick={() => void navigate(newScenePath('device', { alarmID: String(alarm.id), name: alarm.name }))}
            >
              {t('新增场景')}
            </ActButton>
          </span>
        }
        empty={{
          title: t('还没有关联场景'),
          text: t('场景的动作里有「触发告警」或「解除告警」，关联后作用于这个告警。'),
        }}
      />
      {linking.session > 0 && (
        <Suspense fallback={null}>
          <LinkScenes key={linking.session} alarm={alarm} open={linking.open} onClose={linking.close} />
        </Suspense>
      )}
    </>
  )
}
