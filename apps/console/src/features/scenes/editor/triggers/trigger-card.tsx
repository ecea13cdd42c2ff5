import { PlayCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { SceneStatus, triggerScene } from '@ithings/contract/features/scenes/info.ts'
import { sceneLimits } from '@ithings/contract/rules/scene-limits.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Button, Tooltip } from 'antd'
import { CronInput } from '#kit/cron-input.tsx'
import { May } from '#kit/rights.tsx'
import { useAttempt } from '#kit/use-attempt.ts'
import { useSceneWork } from '../../queries.ts'
import { triggerProducts, useEditor } from '../editor-context.ts'
import { emptyTrigger, type TriggerItem } from '../logic/draft.ts'
import { BlockCard } from '../parts/block-card.tsx'
import { ZoneNote } from '../parts/field.tsx'
import { DeviceTriggerRow } from './device-trigger-row.tsx'

function DeviceTriggers() {
  const { draft, change } = useEditor()
  const { triggers } = draft
  const put = (next: TriggerItem) =>
    change((old) => ({ ...old, triggers: old.triggers.map((one) => (one.key === next.key ? next : one)) }))
  const remove = (key: string) => change((old) => ({ ...old, triggers: old.triggers.filter((one) => one.key !== key) }))
  const add = () =>
    // Most scenes look at one product.
    change((old) => ({ ...old, triggers: [...old.triggers, emptyTrigger(triggerProducts(old)[0])] }))
  return (
    <BlockCard
      part="trigger"
      badge={t('当')}
      word="IF"
      title={t('触发')}
      hint={triggers.length > 1 ? t('任一触发满足即开始判断') : t('设备发生什么时开始判断')}
      extra={
        <Button type="text" icon={<PlusOutlined />} disabled={triggers.length >= sceneLimits.triggers} onClick={add}>
          {t('添加触发')}
        </Button>
      }
    >
      {triggers.length === 0 && <p className="scene-empty quiet">{t('还没有触发。添加一个，场景才会运行。')}</p>}
      {triggers.map((item, index) => (
        <DeviceTriggerRow
          key={item.key}
          item={item}
          or={index > 0}
          onChange={(part) => put({ ...item, part })}
          onRemove={() => remove(item.key)}
        />
      ))}
    </BlockCard>
  )
}

export function TriggerCard() {
  const { draft } = useEditor()
  switch (draft.triggerType) {
    case 'device':
      return <DeviceTriggers />
    case 'timer':
      return <TimerTriggerFields />
    case 'manual':
      return <ManualTrigger />
  }
}

/** A 6-field cron, written or built, meant in the zone of the server. */
function TimerTriggerFields() {
  const { draft, change, timeZone } = useEditor()
  return (
    <BlockCard part="trigger" badge={t('当')} word="IF" title={t('触发')} hint={<ZoneNote />}>
      <div className="scene-item">
        <CronInput value={draft.cron} timeZone={timeZone} onChange={(cron) => change((old) => ({ ...old, cron }))} />
      </div>
    </BlockCard>
  )
}

/** What runs is the saved version, and only when it is enabled (rules.md 4). */
function refusal(scene: ReturnType<typeof useEditor>['scene']): string | undefined {
  if (scene?.triggerType !== 'manual') return t('保存后才能执行')
  return scene.status === SceneStatus.enabled ? undefined : t('场景已禁用，启用并保存后才能执行')
}

function ManualTrigger() {
  const { scene } = useEditor()
  const { message } = App.useApp()
  const work = useSceneWork()
  const { busy: running, failure: problem, attempt } = useAttempt()
  const why = refusal(scene)
  const run = () =>
    attempt(async () => {
      if (!scene) return
      await work.trigger(scene.id)
      void message.success(t('已开始执行，结果见“最近执行”'))
    })
  return (
    <BlockCard part="trigger" badge={t('当')} word="IF" title={t('触发')} hint={t('手动')}>
      <p className="scene-empty quiet">
        {t('有人点击“执行一次”、别的场景执行它、或调用接口时运行。手动执行不判断条件，直接执行动作。')}
      </p>
      <div className="scene-row row wrap shrink gap-8">
        <May needs={triggerScene}>
          <Tooltip title={why}>
            <Button
              icon={<PlayCircleOutlined />}
              disabled={why !== undefined}
              loading={running}
              onClick={() => void run()}
            >
              {t('执行一次')}
            </Button>
          </Tooltip>
        </May>
        <span className="meta">{t('执行的是已保存的版本')}</span>
        {problem && <span className="tone-error">{problem}</span>}
      </div>
    </BlockCard>
  )
}
