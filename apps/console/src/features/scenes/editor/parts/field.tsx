import { t } from '@ithings/contract/text.ts'
import { zoneOffset } from '@ithings/contract/zone-days.ts'
import type { CSSProperties, ReactNode } from 'react'
import { useLanguage } from '#language/language.ts'
import { type FieldNote, useEditor, useNote } from '../editor-context.ts'

interface FieldProps {
  /** Of the item and of the field inside it. */
  item: string
  name: string
  /** How wide the control wants to be; it shrinks and grows from there. */
  width?: number | undefined
  grow?: boolean | undefined
  children: ReactNode
}

/** A control in a row of the editor, marked when something is wrong with it. */
export function Field({ item, name, width = 120, grow = false, children }: FieldProps) {
  const note = useNote()(item, name)
  const tone = note ? ` scene-field-${note.tone}` : ''
  // English words take more room.
  const basis = useLanguage() === 'zh' ? width : Math.round(width * 1.25)
  const style = { '--basis': `${basis}px` } as CSSProperties
  return (
    <div className={`scene-field${grow ? ' scene-field-grow' : ''}${tone}`} style={style} title={note?.text}>
      {children}
    </div>
  )
}

/** What is wrong, under the row. */
export function FieldNotes({ item, fields }: { item: string; fields: readonly string[] }) {
  const note = useNote()
  const found = new Map<string, FieldNote>()
  for (const field of fields) {
    const one = note(item, field)
    if (one) found.set(one.text, one)
  }
  if (found.size === 0) return null
  return (
    <div className="scene-notes line-20 above-4 flex wrap small gap-16 tight" role="status">
      {[...found.values()].map(({ text, tone }) => (
        <span key={text} className={`tone-${tone}`}>
          {text}
        </span>
      ))}
    </div>
  )
}

/** Whose clock a schedule and a time of day follow. */
export function ZoneNote() {
  const { timeZone } = useEditor()
  if (!timeZone) return null
  return <>{t('服务器时区 {timeZone}（{offset}）', { timeZone, offset: zoneOffset(timeZone) })}</>
}
