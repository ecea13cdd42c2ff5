import { Form, type FormItemProps } from 'antd'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import type * as z from 'zod'
import { isRequired, schemaRules } from './schema-rules.ts'

export interface FormContextValue {
  schema: z.ZodObject
  /** Labels by field, so that problems of the whole form can name them. */
  labels: Map<string, string>
}

export const FormContext = createContext<FormContextValue | undefined>(undefined)

export interface FieldProps extends Omit<FormItemProps, 'name' | 'label' | 'rules'> {
  name: string
  label: string
  /** Further rules behind those of the schema. */
  rules?: NonNullable<FormItemProps['rules']>
  children?: ReactNode
}

/** What a field hands to its control. */
export interface InputProps<T> {
  id?: string
  value?: T
  onChange?: (value: T) => void
}

/** One labelled control whose rules and required mark come from the form's schema. */
export function Field({ name, label, rules = [], children, ...rest }: FieldProps) {
  const form = useContext(FormContext)
  const labels = form?.labels
  useEffect(() => {
    labels?.set(name, label)
    return () => void labels?.delete(name)
  }, [labels, name, label])
  const own = form ? schemaRules(form.schema, name, label) : []
  return (
    <Form.Item
      name={name}
      label={label}
      required={form ? isRequired(form.schema, name) : false}
      rules={[...own, ...rules]}
      validateFirst
      {...rest}
    >
      {children}
    </Form.Item>
  )
}

export interface FieldSpec {
  name: string
  label: string
  control: ReactNode
  extra?: ReactNode
  tooltip?: ReactNode
  rules?: NonNullable<FormItemProps['rules']>
  valuePropName?: string
}
