import { PlusOutlined } from '@ant-design/icons'
import { sceneLimits } from '@ithings/contract/rules/scene-parts.ts'
import { Button } from 'antd'
import { triggerProducts, useEditor } from '../editor-context.ts'
import { emptyTrigger, type TriggerItem } from '../logic/draft.ts'
import { BlockCard } from '../parts/block-card.tsx'
import { DeviceTriggerRow } from './device-trigger-row.tsx'
import { ManualTrigger } from './manual-trigger.tsx'
import { TimerTriggerFields } from './timer-trigger.tsx'

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
      badge="当"
      word="IF"
      title="触发"
      hint={triggers.length > 1 ? '任一触发满足即开始判断' : '设备发生什么时开始判断'}
      extra={
        <Button type="text" icon={<PlusOutlined />} disabled={triggers.length >= sceneLimits.triggers} onClick={add}>
          添加触发
        </Button>
      }
    >
      {triggers.length === 0 && <p className="scene-empty">还没有触发。添加一个，场景才会运行。</p>}
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
