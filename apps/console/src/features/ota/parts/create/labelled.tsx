import { Form } from 'antd'
import type { ReactNode } from 'react'

interface LabelledProps {
  label: string
  /** The id of the control, so that its label leads to it. */
  htmlFor?: string
  required?: boolean
  extra?: ReactNode
  /** Shown once somebody wanted to go on. */
  problem?: string | undefined
  /** The control is long and has fields of its own: the problem stands above it and does not colour them. */
  above?: boolean
  children: ReactNode
}

/** One labelled control of the task form; what is wrong with it stands below. */
export function Labelled({ label, htmlFor, required = false, extra, problem, above = false, children }: LabelledProps) {
  return (
    <Form.Item
      label={
        <>
          {label}
          {required && <span className="required-mark">*</span>}
          {above && problem && <span className="labelled-problem">{problem}</span>}
        </>
      }
      {...(htmlFor && { htmlFor })}
      extra={extra}
      {...(problem && !above && { validateStatus: 'error' as const, help: problem })}
    >
      {children}
    </Form.Item>
  )
}
