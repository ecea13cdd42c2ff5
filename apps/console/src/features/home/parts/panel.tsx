import { t } from '@ithings/contract/text.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { describeError } from '#kit/states/describe-error.ts'

interface PanelProps {
  title: string
  /** Beside the title: what is counted, over which time. */
  note?: ReactNode
  /** On the right. */
  side?: ReactNode
  className?: string
  children: ReactNode
}

export const Panel = ({ title, note, side, className = '', children }: PanelProps) => (
  <section className={`home-panel boxed min-0 column ${className}`} aria-label={title}>
    <header className="home-panel-head flex baseline fixed">
      <h2>{title}</h2>
      {note !== undefined && <span className="home-note fixed quiet small">{note}</span>}
      {side !== undefined && <span className="home-side at-end end flex wrap to-end softer small">{side}</span>}
    </header>
    {children}
  </section>
)

interface DottedLink {
  key: string
  to: LinkProps['to']
  text: string
}

/** Links side by side with a dot between them. */
export const Dotted = ({ links }: { links: readonly DottedLink[] }) =>
  links.map(({ key, to, text }, index) => (
    <span key={key}>
      <Link to={to}>{text}</Link>
      {index < links.length - 1 && ' · '}
    </span>
  ))

interface LoadedProps<T> {
  query: UseQueryResult<T>
  /** What could not be shown. */
  subject: string
  children: (data: T) => ReactNode
}

/** A panel fails alone: the others go on. What was read once stays while it is asked again. */
export function Loaded<T>({ query, subject, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (!query.error)
    return (
      <div
        className="home-wait grow round-6 grey-fill high-48"
        role="status"
        aria-label={t('{subject}加载中', { subject })}
      />
    )
  const { kind, reason } = describeError(query.error)
  return (
    <div className="home-nothing grow centered row column center softer small" role="alert">
      <p>
        {kind === 'forbidden'
          ? t('没有查看「{subject}」的权限，请联系管理员', { subject })
          : t('{subject}加载失败', { subject })}
      </p>
      {kind !== 'forbidden' && <p className="quiet anywhere">{reason}</p>}
      {kind !== 'forbidden' && (
        <button
          type="button"
          className="home-button main-text high-32 inline-row touch"
          onClick={() => void query.refetch()}
          disabled={query.isFetching}
        >
          {query.isFetching ? t('重试中') : t('重试')}
        </button>
      )}
    </div>
  )
}

/** Zeros would be a lie: the role may not see what the panel counts (decisions.md 4.4). */
export const Refused = ({ subject }: { subject: string }) => (
  <Nothing>{t('没有查看「{subject}」的权限，请联系管理员', { subject })}</Nothing>
)

export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="home-nothing grow centered row center softer small">{children}</p>
)
