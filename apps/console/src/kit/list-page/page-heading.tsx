import type { ReactNode } from 'react'
import './list-page.css'

/** One title, one line about it, the buttons (look.md 1: title row 32 px, then 16 px). */
export function PageHeading({ title, subtitle, extra }: { title: ReactNode; subtitle?: ReactNode; extra?: ReactNode }) {
  return (
    <div className="page-heading below-16 gap-4-12 high-32 row wrap">
      <h1 className="size-20 line-28 bare anywhere bold">{title}</h1>
      {subtitle && <span className="page-subtitle anywhere quiet">{subtitle}</span>}
      {extra && <div className="page-extra flex wrap to-end gap-12">{extra}</div>}
    </div>
  )
}
