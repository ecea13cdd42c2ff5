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
  children: ReactNode
}

/** One labelled control of the task form; what is wrong with it stands below. */
export function Labelled({ label, htmlFor, required = false, extra, problem, children }: LabelledProps) {
  return (
    <Form.Item
      label={
        <>
          {label}
          {required && <span className="required-mark">*</span>}
        </>
      }
      {...(htmlFor && { htmlFor })}
      extra={extra}
      {...(problem && { validateStatus: 'error' as const, help: problem })}
    >
      {children}
    </Form.Item>
  )
}
