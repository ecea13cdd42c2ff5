import { PlusOutlined } from '@ant-design/icons'
import { sceneLimits } from '@ithings/contract/rules/scene-limits.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Dropdown, Segmented } from 'antd'
import { useState } from 'react'
import { triggerProducts, useEditor } from '../editor-context.ts'
import { modeOf, moveStep, setMode, stepNumbers } from '../logic/action-list.ts'
import { newStep, type StepKind, stepKinds, stepTable } from '../logic/step-kinds.ts'
import { BlockCard } from '../parts/block-card.tsx'
import { ActionRow, handleID } from './action-row.tsx'
import './steps.css'

const modes = [
  { value: 'serial' as const, label: '依次执行' },
  { value: 'parallel' as const, label: '同时执行' },
]
const mixed = { value: 'mixed' as const, label: '混合' }

/** Moves a step, and tells so to those who do not see it move. */
function useMove(): { said: string; move: (from: number, to: number) => void } {
  const { draft, change } = useEditor()
  const [said, setSaid] = useState('')
  const move = (from: number, to: number) => {
    const moving = draft.actions[from]
    if (!moving || to < 0 || to >= draft.actions.length) return
    change((old) => ({ ...old, actions: moveStep(old.actions, from, to) }))
    setSaid(t('已移到第 {to} 步', { to: to + 1 }))
    // A moved node loses the focus: the arrow keys go on where they were.
    requestAnimationFrame(() => document.getElementById(handleID(moving.key))?.focus())
  }
  return { said, move }
}

export function ActionCard() {
  const { draft, change } = useEditor()
  const { actions, triggerType } = draft
  const [open, setOpen] = useState<string>()
  const [dragged, setDragged] = useState<number>()
  const { said, move } = useMove()
  const numbers = stepNumbers(actions)
  const mode = modeOf(actions)
  const full = actions.length >= sceneLimits.actions

  const add = (kind: StepKind) => {
    const made = newStep(kind, { productID: triggerProducts(draft)[0] ?? '', byDevice: triggerType === 'device' })
    change((old) => ({ ...old, actions: [...old.actions, made] }))
    setOpen(made.key)
  }
  return (
    <BlockCard
      part="action"
      badge={t('则')}
      word="THEN"
      title={t('动作')}
      hint={
        actions.length > 1 && (
          <Segmented
            aria-label={t('执行方式', { context: 'actions' })}
            value={mode}
            options={[...modes, ...(mode === 'mixed' ? [mixed] : [])].map(({ value, label }) => ({
              value,
              label: t(label),
            }))}
            onChange={(next) => next !== 'mixed' && change((old) => ({ ...old, actions: setMode(old.actions, next) }))}
          />
        )
      }
      extra={
        <Dropdown
          trigger={['click']}
          disabled={full}
          menu={{ items: stepKinds.map((key) => ({ key, label: t(stepTable[key].label), onClick: () => add(key) })) }}
        >
          <Button type="text" icon={<PlusOutlined />}>
            {t('添加动作')}
          </Button>
        </Dropdown>
      }
    >
      {actions.length === 0 && (
        <p className="scene-empty quiet">{t('还没有动作。从下面选一个，例如给设备下发指令或触发告警。')}</p>
      )}
      <ol className="bare-list">
        {actions.map((item, index) => (
          <ActionRow
            key={item.key}
            item={item}
            index={index}
            count={actions.length}
            number={numbers[index] ?? index + 1}
            open={open === item.key}
            dragged={dragged}
            onOpen={(next) => setOpen(next ? item.key : undefined)}
            onDrag={setDragged}
            onMove={move}
          />
        ))}
      </ol>
      <span className="visually-hidden" role="status">
        {said}
      </span>
      <div className="step-adds gap-8 above-12 grid">
        {stepKinds.map((kind) => (
          <Button key={kind} type="dashed" icon={<PlusOutlined />} disabled={full} onClick={() => add(kind)}>
            {t(stepTable[kind].label)}
          </Button>
        ))}
      </div>
    </BlockCard>
  )
}
