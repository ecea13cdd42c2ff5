import { type ReactNode, useId } from 'react'
import './detail.css'

interface CardProps {
  title: string
  note?: ReactNode
  /** Buttons right of the title. */
  extra?: ReactNode
  children: ReactNode
}

/** One block of the work area below the tabs. */
export function Card({ title, note, extra, children }: CardProps) {
  const id = useId()
  return (
    <section className="sheet device-card pane" aria-labelledby={id}>
      <div className="gap-4-12 high-32 row wrap below-8">
        <h2 id={id} className="title">
          {title}
        </h2>
        {note && <span className="meta">{note}</span>}
        {extra && <div className="head-acts row wrap to-end touches gap-8">{extra}</div>}
      </div>
      {children}
    </section>
  )
}
