import type { Param } from '@ithings/contract/thing-model/define.ts'
import { useId } from 'react'
import './model-form.css'
import { withMember } from './struct-input.tsx'
import { ValueField } from './value-field.tsx'
import { ValueInput } from './value-input.tsx'
import { isGroup } from './value-input-props.ts'
import type { ValueIssues } from './value-issues.ts'

interface ParamsFormProps {
  params: readonly Param[]
  values: Record<string, unknown>
  onChange: (values: Record<string, unknown>) => void
  issues?: ValueIssues
  disabled?: boolean
}

/** One control for each parameter: the input of an action, the properties of a command. */
export function ParamsForm({ params, values, onChange, issues, disabled }: ParamsFormProps) {
  const form = useId()
  return (
    <div className="value-group">
      {params.map(({ identifier, name, define }) => {
        const id = `${form}-${identifier}`
        const group = isGroup(define)
        return (
          <ValueField
            key={identifier}
            label={name}
            hint={identifier}
            htmlFor={group ? undefined : id}
            issue={group ? undefined : issues?.get(identifier)}
          >
            <ValueInput
              define={define}
              value={values[identifier]}
              onChange={(value) => onChange(withMember(values, identifier, value))}
              label={name}
              id={id}
              path={identifier}
              disabled={disabled}
              {...(issues && { issues })}
            />
          </ValueField>
        )
      })}
    </div>
  )
}
