import type { ReactNode } from 'react'

/** A card beside the rule; `head` stands behind its title. */
export const TrialCard = ({ title, head, children }: { title: string; head?: ReactNode; children: ReactNode }) => (
  <section className="sheet trial-card pad-12-16 column gap-8" aria-label={title}>
    <div className="gap-4-12 row wrap">
      <h2 className="subtitle">{title}</h2>
      {head}
    </div>
    {children}
  </section>
)
