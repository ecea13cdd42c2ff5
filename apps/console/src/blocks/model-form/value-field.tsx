import type { ReactNode } from 'react'
import './model-form.css'

interface ValueFieldProps {
  label: string
  /** Of the control inside; groups (struct, array) have none. */
  htmlFor?: string | undefined
  hint?: string | undefined
  issue?: string | undefined
  children: ReactNode
}

export const issueID = (id: string): string => `${id}-issue`

/** A label, its control, and what is wrong with it. */
export function ValueField({ label, htmlFor, hint, issue, children }: ValueFieldProps) {
  const Label = htmlFor ? 'label' : 'span'
  return (
    <div className="value-field column shrink gap-4">
      <Label className="flex wrap baseline softer gap-8 tight" {...(htmlFor && { htmlFor })}>
        {label}
        {hint && <span className="mono-payload quiet">{hint}</span>}
      </Label>
      {children}
      <ValueIssue id={htmlFor} text={issue} />
    </div>
  )
}

export function ValueIssue({ id, text }: { id: string | undefined; text: string | undefined }) {
  if (!text) return null
  return (
    <div className="meta tone-error" role="alert" {...(id && { id: issueID(id) })}>
      {text}
    </div>
  )
}
