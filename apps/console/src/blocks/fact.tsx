import type { ReactNode } from 'react'

interface FactProps {
  label: string
  children: ReactNode
  className?: string
}

/** One name and its value in a `dl`. */
export const Fact = ({ label, children, className = '' }: FactProps) => (
  <div className={className}>
    <dt className="meta">{label}</dt>
    <dd className="bare shrink">{children}</dd>
  </div>
)
