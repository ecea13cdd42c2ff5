import { Fragment, type ReactNode } from 'react'
import './facts.css'

export interface Fact {
  label: string
  value: ReactNode
}

const isEmpty = (value: ReactNode) => value === '' || value === null || value === undefined

interface FactsProps {
  facts: readonly Fact[]
  /** facts-wide: one below the other, for values that are long. */
  className?: string
}

/** What is known of something, each with its name. */
export const Facts = ({ facts, className = '' }: FactsProps) => (
  <dl className={`facts bare ${className}`}>
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt className="quiet">{label}</dt>
        <dd className="bare shrink anywhere">{isEmpty(value) ? <span className="no-value">—</span> : value}</dd>
      </div>
    ))}
  </dl>
)

/** The same in two columns, of which the first is as wide as its longest name; what is not known is left out. */
export const FactList = ({ facts, className = '' }: { facts: readonly (Fact | false)[]; className?: string }) => (
  <dl className={`fact-list ${className}`}>
    {facts.map(
      (fact) =>
        fact && (
          <Fragment key={fact.label}>
            <dt>{fact.label}</dt>
            <dd>{fact.value}</dd>
          </Fragment>
        ),
    )}
  </dl>
)
