import { HolderOutlined, MoreOutlined } from '@ant-design/icons'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Dropdown } from 'antd'
import type { KeyboardEvent } from 'react'
import { itemAnchor, useEditor, useNote } from '../editor-context.ts'
import { removeStep, setParallel } from '../logic/action-list.ts'
import { type ActionItem, newKey } from '../logic/draft.ts'
import { kindOf, readable, stepTable, stepWords } from '../logic/step-kinds.ts'
import { FieldNotes } from '../parts/field.tsx'
import { AlarmNames, StepForm } from './step-form.tsx'

const checked = ['', 'device', 'delay', 'notify', 'scene', 'alarm']

export const handleID = (key: string): string => `scene-step-${key}`

interface ActionRowProps {
  item: ActionItem
  index: number
  count: number
  number: number
  open: boolean
  /** Place of the step that is being dragged. */
  dragged: number | undefined
  onOpen: (open: boolean) => void
  onDrag: (index: number | undefined) => void
  onMove: (from: number, to: number) => void
}

/** One step: a line to read, a handle to drag (or to move by arrow keys), a form when it is opened. */
export function ActionRow(props: ActionRowProps) {
  const { item, index, number, open, dragged, onOpen, onDrag, onMove } = props
  const { names, change, alarms } = useEditor()
  const note = useNote()
  const { key, part } = item
  const kind = kindOf(part)
  const Icon = stepTable[kind].icon
  const words = stepWords(readable(part), names)
  const put = (next: SceneAction) =>
    change((old) => ({ ...old, actions: old.actions.map((one) => (one.key === key ? { ...one, part: next } : one)) }))
  const bad = checked.some((field) => note(key, field)?.tone === 'error')
  const joined = index > 0 && part.parallel
  const alarm = kind === 'trigger' || kind === 'relieve'
  return (
    <li
      id={itemAnchor(key)}
      className={dragged === index ? 'step step-dragged' : 'step'}
      onDragOver={(event) => {
        if (dragged !== undefined) event.preventDefault()
      }}
      onDrop={(event) => {
        event.preventDefault()
        if (dragged !== undefined) onMove(dragged, index)
        onDrag(undefined)
      }}
    >
      <div className="step-line high-48 row">
        <StepHandle {...props} />
        <button
          type="button"
          className="plain-button step-open grow shrink"
          aria-expanded={open}
          onClick={() => onOpen(!open)}
        >
          <span
            className={
              joined
                ? 'step-number small line-20 link circle centered step-number-joined'
                : 'step-number small line-20 link circle centered'
            }
          >
            {number}
          </span>
          <Icon className="size-16 softer" />
          <b className={bad ? 'anywhere tone-error' : 'anywhere'}>{words.title}</b>
          <span className="step-summary row wrap shrink softer anywhere gap-8 tight">
            {alarm && alarms.length > 0 ? <AlarmNames /> : words.summary}
            {words.code && <code className="mono-payload anywhere quiet">{words.code}</code>}
          </span>
          <span className="meta step-note end">
            {[joined && t('与上一步同时'), words.note].filter(Boolean).join(' · ')}
          </span>
        </button>
        <StepMenu {...props} />
      </div>
      {open && (
        <div className="step-form">
          <StepForm item={key} value={part} onChange={put} />
        </div>
      )}
      <FieldNotes item={key} fields={checked} />
    </li>
  )
}

function StepHandle({ item: { key }, index, onDrag, onMove }: ActionRowProps) {
  const byKeys = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(index, index + by)
  }
  return (
    <button
      type="button"
      id={handleID(key)}
      className="plain-button step-handle inline-row quiet"
      draggable
      aria-label={t('第 {index} 步，按上下方向键移动', { index: index + 1 })}
      title={t('拖动排序，或按上下方向键')}
      onKeyDown={byKeys}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', key)
        onDrag(index)
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <HolderOutlined />
    </button>
  )
}

function StepMenu({ item, index, count, open, onOpen, onMove }: ActionRowProps) {
  const { change } = useEditor()
  const { key, part } = item
  const parallel = part.parallel ?? false
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: [
          { key: 'edit', label: open ? t('收起') : t('编辑'), onClick: () => onOpen(!open) },
          {
            key: 'parallel',
            label: parallel ? t('改为等上一步完成') : t('与上一步同时执行'),
            disabled: index === 0,
            onClick: () => change((old) => ({ ...old, actions: setParallel(old.actions, key, !parallel) })),
          },
          { key: 'up', label: t('上移'), disabled: index === 0, onClick: () => onMove(index, index - 1) },
          { key: 'down', label: t('下移'), disabled: index === count - 1, onClick: () => onMove(index, index + 1) },
          {
            key: 'copy',
            label: t('复制'),
            onClick: () =>
              change((old) => ({ ...old, actions: old.actions.toSpliced(index + 1, 0, { key: newKey(), part }) })),
          },
          {
            key: 'delete',
            label: t('删除'),
            onClick: () => change((old) => ({ ...old, actions: removeStep(old.actions, key) })),
          },
        ],
      }}
    >
      <Button type="text" icon={<MoreOutlined />} aria-label={t('第 {index} 步的操作', { index: index + 1 })} />
    </Dropdown>
  )
}
