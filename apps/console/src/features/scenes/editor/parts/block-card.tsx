import type { ReactNode } from 'react'
import './blocks.css'

interface BlockCardProps {
  /** 当, 且, 则. */
  badge: string
  /** IF, AND, THEN. */
  word: string
  title: string
  hint?: ReactNode
  extra?: ReactNode
  children: ReactNode
}

/** look.md "Rules as sentences": a badge in front of each of the three parts. */
export function BlockCard({ badge, word, title, hint, extra, children }: BlockCardProps) {
  return (
    <section className="sheet scene-block" aria-label={title}>
      <div className="scene-badge" aria-hidden="true">
        <b>{badge}</b>
        <span>{word}</span>
      </div>
      <div className="scene-block-body">
        <div className="scene-block-head">
          <h2>{title}</h2>
          {hint && <span className="meta">{hint}</span>}
          {extra && <div className="scene-block-extra">{extra}</div>}
        </div>
        {children}
      </div>
    </section>
  )
}
