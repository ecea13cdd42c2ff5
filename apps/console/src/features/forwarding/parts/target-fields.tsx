import type { ForwardRule } from '@ithings/contract/features/forwarding/rules.ts'
import {
  secretMask,
  type TargetType,
  targetTypeLabels,
  targetTypes,
} from '@ithings/contract/features/forwarding/targets.ts'
import { t } from '@ithings/contract/text.ts'
import { Form, type FormInstance, Select } from 'antd'
import { useRef } from 'react'
import { HeadersInput } from '#blocks/headers-input.tsx'
import { Field } from '#kit/form/field.tsx'
import { isRequired, schemaRules } from '#kit/form/schema-rules.ts'
import { targetDefaults, targetFields, targetSchema } from '../rule-form.ts'
import { type TargetFieldSpec, targetSpecs, templatePlaces } from '../target-specs.ts'
import { TargetInput } from './target-input.tsx'

const helpOf = ({ help, template }: TargetFieldSpec) =>
  template ? t('{places} 会换成消息中的值', { places: templatePlaces.join(t('、')) }) : help && t(help)

const hasHidden = (headers: unknown) => Array.isArray(headers) && headers.some(({ value }) => value === secretMask)

interface OneFieldProps {
  spec: TargetFieldSpec
  type: TargetType
  rule: ForwardRule | undefined
}

function OneField({ spec, type, rule }: OneFieldProps) {
  const { name, control, onlyWith } = spec
  const needed = Form.useWatch(onlyWith ?? 'type')
  if (onlyWith && !needed) return null
  const stored: Record<string, unknown> = rule?.target.type === type ? rule.target : {}
  if (control === 'headers')
    return <HeadersInput help={hasHidden(stored.headers) ? t('密钥已隐藏为 ******，保持原样则不修改。') : undefined} />
  const schema = targetSchema(type)
  const label = t(spec.label)
  return (
    <Field
      name={name}
      label={label}
      extra={helpOf(spec)}
      required={isRequired(schema, name)}
      rules={schemaRules(schema, name, label)}
      valuePropName={control === 'switch' ? 'checked' : 'value'}
    >
      <TargetInput spec={spec} saved={stored[name] === secretMask} />
    </Field>
  )
}

interface TargetFieldsProps {
  form: FormInstance
  /** The one that is edited. */
  rule: ForwardRule | undefined
}

/** Which kind of target, and its own fields. What was typed for one kind is there again when somebody comes back to it. */
export function TargetFields({ form, rule }: TargetFieldsProps) {
  const type: TargetType = Form.useWatch('type', form) ?? rule?.target.type ?? 'webhook'
  const typed = useRef(new Map<TargetType, Record<string, unknown>>())
  const choose = (next: TargetType) => {
    typed.current.set(type, form.getFieldsValue(targetFields(type)))
    form.setFieldsValue({ ...targetDefaults(next), ...typed.current.get(next) })
  }
  return (
    <>
      <Field name="type" label={t('目标类型')}>
        <Select
          options={targetTypes.map((value) => ({ value, label: t(targetTypeLabels[value]) }))}
          onChange={choose}
        />
      </Field>
      {targetSpecs[type].map((spec) => (
        <OneField key={`${type}.${spec.name}`} spec={spec} type={type} rule={rule} />
      ))}
    </>
  )
}
