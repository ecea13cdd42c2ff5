import { Form } from 'antd'
import { type ReactNode, useId } from 'react'
import { type Faults, fieldLabels, type TaskField } from '../../draft/check-draft.ts'

interface FormRowProps {
  field: TaskField
  label?: string
  required?: boolean
  extra?: ReactNode
  faults: Faults
  /** The id ties the label to the control. */
  children: ReactNode | ((id: string) => ReactNode)
}

/** A label, its control, and the sentence of what is wrong with it. */
export function FormRow({
  field,
  label = fieldLabels[field],
  required = false,
  extra,
  faults,
  children,
}: FormRowProps) {
  const id = useId()
  const fault = faults.get(field)
  return (
    <Form.Item
      label={label}
      {...(typeof children === 'function' && { htmlFor: id })}
      required={required}
      extra={extra}
      help={fault}
      validateStatus={fault ? 'error' : ''}
    >
      {typeof children === 'function' ? children(id) : children}
    </Form.Item>
  )
}
