import type { ReactNode } from 'react'
import { useLanguage } from '#language/language.ts'
import { itemAnchor } from '../editor-context.ts'
import type { Part } from '../logic/check-draft.ts'
import './blocks.css'

interface BlockCardProps {
  part: Part
  /** 当, 且, 则. */
  badge: string
  /** IF, AND, THEN: beside the Chinese badge. */
  word: string
  title: string
  hint?: ReactNode
  extra?: ReactNode
  children: ReactNode
}

/** look.md "Rules as sentences": a badge in front of each of the three parts. */
export function BlockCard({ part, badge, word, title, hint, extra, children }: BlockCardProps) {
  const chinese = useLanguage() === 'zh'
  return (
    <section className="sheet scene-block grid relative" id={itemAnchor(part)} aria-label={title}>
      <div className="scene-badge line-18 column small quiet gap-4" aria-hidden="true">
        <b>{badge}</b>
        {chinese && <span>{word}</span>}
      </div>
      <div className="scene-block-body shrink">
        <div className="high-36 row wrap" style={{ gap: '4px 10px' }}>
          <h2 className="subtitle">{title}</h2>
          {hint && <span className="meta">{hint}</span>}
          {extra && <div className="flex to-end">{extra}</div>}
        </div>
        {children}
      </div>
    </section>
  )
}
