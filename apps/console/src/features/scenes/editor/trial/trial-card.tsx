import type { ReactNode } from 'react'

/** A card beside the rule; `head` stands behind its title. */
export const TrialCard = ({ title, head, children }: { title: string; head?: ReactNode; children: ReactNode }) => (
  <section className="sheet trial-card column gap-8" aria-label={title}>
    <div className="trial-head row wrap">
      <h2>{title}</h2>
      {head}
    </div>
    {children}
  </section>
)
