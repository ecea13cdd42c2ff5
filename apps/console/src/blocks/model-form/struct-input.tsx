import { ValueField, ValueIssue } from './value-field.tsx'
import { type GroupInputProps, isGroup, partOf } from './value-input-props.ts'

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** A member that is emptied leaves the object: missing members are allowed (thing-model.md 4). */
export function withMember(value: unknown, identifier: string, member: unknown): Record<string, unknown> {
  const { [identifier]: _, ...rest } = asRecord(value)
  return member === undefined ? rest : { ...asRecord(value), [identifier]: member }
}

export function StructInput({ renderValue, ...props }: GroupInputProps) {
  const { define, value, onChange, label, issues, path = '' } = props
  const values = asRecord(value)
  return (
    <fieldset className="value-group" aria-label={label}>
      {(define.specs ?? []).map((spec) => {
        const part = partOf(props, spec.identifier, {
          define: spec.dataType,
          value: values[spec.identifier],
          label: spec.name,
          onChange: (member) => onChange(withMember(value, spec.identifier, member)),
        })
        const group = isGroup(spec.dataType)
        return (
          <ValueField
            key={spec.identifier}
            label={spec.name}
            hint={spec.identifier}
            htmlFor={group ? undefined : part.id}
            issue={group ? undefined : issues?.get(part.path ?? '')}
          >
            {renderValue(part)}
          </ValueField>
        )
      })}
      <ValueIssue id={undefined} text={issues?.get(path)} />
    </fieldset>
  )
}
