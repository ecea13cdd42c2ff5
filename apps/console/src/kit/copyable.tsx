import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Tooltip } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useNotices } from './notices.tsx'
import './parts.css'

/** Copies text; falls back to a hidden field where the clipboard API is missing (plain http on another host). */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) {
    await navigator.clipboard.writeText(text)
    return
  }
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (!done) throw new Error(t('浏览器拒绝了复制'))
}

/** A copy action with its quiet answer; true for two seconds after it worked. */
export function useCopy(): [boolean, (text: string) => void] {
  const { message } = useNotices()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (text: string) => {
    copyText(text).then(
      () => {
        setCopied(true)
        void message.success(t('复制成功'))
      },
      (error: unknown) =>
        void message.error(t('复制失败：{reason}', { reason: error instanceof Error ? error.message : String(error) })),
    )
  }
  return [copied, copy]
}

/** Without a text there is nothing to copy yet. */
export function CopyButton({ text, label = t('复制') }: { text: string | undefined; label?: string }) {
  const [copied, copy] = useCopy()
  return (
    <Tooltip title={label}>
      <button
        type="button"
        className="plain-button icon-button inline-row quiet center copy-button size-13"
        aria-label={label}
        disabled={text === undefined}
        onClick={(event) => {
          event.stopPropagation()
          if (text !== undefined) copy(text)
        }}
      >
        {copied ? <CheckOutlined /> : <CopyOutlined />}
      </button>
    </Tooltip>
  )
}

export interface CopyableProps {
  /** What is copied, and shown unless children say otherwise. */
  text: string | number | null | undefined
  children?: ReactNode
  /** Cut the shown text at this width; the whole one is in the tooltip. */
  maxWidth?: number
}

/** An id in monospace with a copy icon (look.md 9); — when there is none. */
export function Copyable({ text, children, maxWidth }: CopyableProps) {
  if (text === null || text === undefined || text === '') return <span className="no-value">—</span>
  const whole = String(text)
  return (
    <span className="fit inline-row gap-6" style={{ verticalAlign: 'bottom' }}>
      <span
        className="mono copyable-text cut"
        title={maxWidth ? whole : undefined}
        style={maxWidth ? { maxWidth } : undefined}
      >
        {children ?? whole}
      </span>
      <CopyButton text={whole} />
    </span>
  )
}
