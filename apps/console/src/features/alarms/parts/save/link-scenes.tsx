import { LinkOutlined } from '@ant-design/icons'
import type { AlarmInfo } from '@ithings/contract/features/alarms/config.ts'
import type { Scene, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { type TriggerType, triggerTypes } from '@ithings/contract/rules/scene-limits.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Button, Modal } from 'antd'
import { useSearchParams } from 'react-router'
import { enabledOptions } from '#blocks/enabled-status.ts'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useAttempt } from '#kit/use-attempt.ts'
import { usePhone } from '#kit/use-phone.ts'
import { scenesQuery, useAlarmWork } from '../../queries.ts'
import { sceneColumns } from './scene-columns.tsx'

interface Filter {
  name?: string
  triggerType?: TriggerType
  status?: SceneStatus
}

const prefix = 'p.'
const fields: FilterField[] = [
  { name: 'name', label: '名称', control: 'text', width: 160 },
  {
    name: 'triggerType',
    label: '触发类型',
    control: 'select',
    options: triggerTypes.map((value) => ({ value, label: triggerTypeLabels[value] })),
  },
  { name: 'status', label: '状态', control: 'select', options: enabledOptions },
]

const isLinked = (scene: Scene, alarmID: number): boolean => scene.alarms.some(({ id }) => id === alarmID)

/** Scenes, searched on the server; those already linked cannot be chosen again. */
export function LinkScenes({ alarm, open, onClose }: { alarm: AlarmInfo; open: boolean; onClose: () => void }) {
  const phone = usePhone()
  const { message } = App.useApp()
  const work = useAlarmWork()
  const [, setParams] = useSearchParams()
  const { busy, failure, attempt } = useAttempt()
  const close = () => {
    if (busy) return
    // What was searched for here does not stay in the page's address.
    setParams((before) => new URLSearchParams([...before].filter(([name]) => !name.startsWith(prefix))), {
      replace: true,
    })
    onClose()
  }
  const submit = (scenes: readonly Scene[]) =>
    attempt(async () => {
      const ids = scenes.map(({ id }) => id)
      await work.link(alarm.id, ids)
      void message.success(t('已关联 {count} 个场景', { count: scenes.length }))
      onClose()
    })
  return (
    <Modal
      title={t('关联场景到「{name}」', { name: alarm.name })}
      open={open}
      onCancel={close}
      footer={null}
      width={phone ? '100%' : 900}
      destroyOnHidden
    >
      {failure && <Alert type="error" showIcon title={failure} />}
      <ListPage<Scene, Filter>
        embedded
        title={t('场景')}
        urlPrefix={prefix}
        filters={fields}
        columns={sceneColumns}
        rowKey={(row) => String(row.id)}
        storageKey="alarm-scene-candidates"
        query={({ page, filters }) => scenesQuery({ ...filters, page })}
        toolbar={<span className="meta">{t('勾选场景，可以跨页选择；已关联的不能再选')}</span>}
        selection={{
          unit: t('个场景'),
          disabled: (scene) => isLinked(scene, alarm.id),
          actions: (scenes) => (
            <Button type="primary" icon={<LinkOutlined />} loading={busy} onClick={() => void submit(scenes)}>
              {t('关联所选')}
            </Button>
          ),
        }}
        empty={{ title: t('还没有场景'), text: t('先到「场景联动」新增一个带有「触发告警」动作的场景。') }}
      />
    </Modal>
  )
}
