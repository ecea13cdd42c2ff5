import { t } from '@ithings/contract/text.ts'
import './parts.css'

// look.md 5: green online/success, red offline/failed, amber never activated/warning, blue running, grey the rest.
export type StatusTone = 'success' | 'error' | 'warning' | 'processing' | 'default'

export interface StatusLook {
  text: string
  tone: StatusTone
  /** A hollow ring instead of a dot: something that never happened yet. */
  ring?: boolean
}

export type StatusLooks = Readonly<Record<string | number, StatusLook>>

/** The words of a state or a kind: what is also a verb in Chinese has a translation of its own here (启用: Enabled, not Enable). */
export const stateText = (text: string): string => t(text, { context: 'state' })

/** Every enumeration can meet a value it does not know; it is shown, never thrown at (screens.md 0.1). */
export function lookOf(looks: StatusLooks, value: string | number | null | undefined): StatusLook {
  const look = value === null || value === undefined ? undefined : looks[value]
  if (look) return { ...look, text: stateText(look.text) }
  return { text: t('未知（{value}）', { value: value ?? t('空') }), tone: 'default' }
}

/** The label of an enumeration, with the same fallback. */
export const labelOf = (
  labels: Readonly<Record<string | number, string>>,
  value: string | number | null | undefined,
): string => {
  const label = value === null || value === undefined ? undefined : labels[value]
  return label === undefined ? t('未知（{value}）', { value: value ?? t('空') }) : stateText(label)
}

type StatusTagProps = { filled?: boolean } & (
  | { looks: StatusLooks; value: string | number | null | undefined }
  | StatusLook
)

/** Dot plus word in tables; filled only in headers, counts and reply codes (look.md 5). */
export function StatusTag(props: StatusTagProps) {
  const look = 'looks' in props ? lookOf(props.looks, props.value) : props
  const shape = props.filled ? 'status-tag-filled' : look.ring ? 'status-tag-ring' : ''
  return <span className={`status-tag inline-row nowrap gap-8 tone-${look.tone} ${shape}`}>{stateText(look.text)}</span>
}
