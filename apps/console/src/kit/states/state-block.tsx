import type { ReactNode } from 'react'
import './states.css'
import { type ArtName, StateArt } from './state-art.tsx'

export interface StateBlockProps {
  variant: ArtName
  title: ReactNode
  text?: ReactNode
  /** Between the text and the button: tags, a request id. */
  extra?: ReactNode
  /** The one next step. */
  action?: ReactNode
  compact?: boolean
}

/** One of the designed states: a small drawing, what it is, why, and one way on (look.md "States"). */
export function StateBlock({ variant, title, text, extra, action, compact }: StateBlockProps) {
  const alarming = variant === 'error' || variant === 'forbidden' || variant === 'offline'
  return (
    <section
      className={compact ? 'state-block center centered row state-block-compact' : 'state-block center centered row'}
      data-state={variant}
      role={alarming ? 'alert' : undefined}
    >
      {!compact && <StateArt name={variant} />}
      <h2 className="size-16 line-24 main-text bare bold">{title}</h2>
      {text && (
        <div className="above-4 anywhere softer" style={{ maxWidth: 300 }}>
          {text}
        </div>
      )}
      {extra && (
        <div className="center above-12 flex wrap gap-8" style={{ maxWidth: 480 }}>
          {extra}
        </div>
      )}
      {action && <div className="state-block-action above-16 column gap-8">{action}</div>}
    </section>
  )
}
