import { ExclamationCircleFilled, WarningFilled } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { withIndex } from '#kit/with-index.ts'
import { itemAnchor, useEditor } from '../editor-context.ts'
import type { Fault } from '../logic/check-draft.ts'

const shown = 6

/** The first control of the item: what is missing is usually near the beginning. */
function goTo({ key }: Fault) {
  const place = document.getElementById(itemAnchor(key))
  if (!place) return
  place.scrollIntoView({ block: 'center' })
  const field = place.querySelector<HTMLElement>('.scene-field-error input, .scene-field-warning input, .step-open')
  ;(field ?? place.querySelector<HTMLElement>('input, button'))?.focus()
}

interface FaultListProps {
  tone: 'todo' | 'error' | 'warning'
  title: string
  list: readonly Fault[]
  onGo: () => void
}

function FaultList({ tone, title, list, onGo }: FaultListProps) {
  const Icon = tone === 'warning' ? WarningFilled : ExclamationCircleFilled
  return (
    <div
      className={`fault-bar pad-8-12 round-8 back-fill size-13 flex wrap baseline ${tone === 'todo' ? 'fault-bar-todo softer' : `tone-${tone}`}`}
    >
      <Icon aria-hidden="true" />
      <b>{title}</b>
      <ul className="bare-list flex wrap">
        {withIndex(list.slice(0, shown)).map(({ no, item }) => (
          <li key={no} className="anywhere">
            <button
              type="button"
              className="plain-button"
              onClick={() => {
                onGo()
                // After the field is marked.
                requestAnimationFrame(() => goTo(item))
              }}
            >
              {t('{place}：{text}', { place: item.place, text: item.text })}
            </button>
          </li>
        ))}
        {list.length > shown && <li>{t('等 {count} 处', { count: list.length })}</li>}
      </ul>
    </div>
  )
}

function SavedNotes({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <div className="fault-bar pad-8-12 round-8 back-fill size-13 flex wrap baseline tone-warning">
      <WarningFilled aria-hidden="true" />
      <b>{title}</b>
      <ul className="bare-list flex wrap">
        {withIndex(texts).map(({ no, item }) => (
          <li key={no} className="anywhere">
            {item}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What keeps the scene from being saved, what will not work, and what of the saved one is gone. */
export function FaultBar({ onStrict }: { onStrict: () => void }) {
  const { faults, refusals, warnings, scene, strict } = useEditor()
  const open = [...faults, ...refusals]
  return (
    <>
      <SavedNotes title={t('已保存的版本不能完整执行')} texts={scene?.problems ?? []} />
      <SavedNotes title={t('已保存的版本有提醒')} texts={scene?.hints ?? []} />
      {open.length > 0 && (
        <FaultList
          tone={strict ? 'error' : 'todo'}
          title={t('还差 {count} 处', { count: open.length })}
          list={open}
          onGo={onStrict}
        />
      )}
      {open.length === 0 && warnings.length > 0 && (
        <FaultList
          tone="warning"
          title={t('{count} 处提醒', { count: warnings.length })}
          list={warnings}
          onGo={onStrict}
        />
      )}
    </>
  )
}
