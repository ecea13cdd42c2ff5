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
    <section className="sheet device-card" aria-labelledby={id}>
      <div className="device-card-head row wrap">
        <h2 id={id}>{title}</h2>
        {note && <span className="meta">{note}</span>}
        {extra && <div className="device-card-extra row wrap to-end gap-8">{extra}</div>}
      </div>
      {children}
    </section>
  )
}

export interface Fact {
  label: string
  value: ReactNode
}

const isEmpty = (value: ReactNode) => value === '' || value === null || value === undefined

/** @param wide one below the other: values that are long */
export const Facts = ({ facts, wide = false }: { facts: readonly Fact[]; wide?: boolean }) => (
  <dl className={wide ? 'device-facts device-facts-wide' : 'device-facts'}>
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{isEmpty(value) ? <span className="no-value">—</span> : value}</dd>
      </div>
    ))}
  </dl>
)
