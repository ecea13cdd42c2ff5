/** The form of a forwarding rule: flat, checked with the contract's own schemas, and back to what the wire wants. Pure. */
import { type ForwardRule, forwardBody, forwardFilter } from '@ithings/contract/features/forwarding/rules.ts'
import {
  type TargetSettings,
  type TargetType,
  targetSettings,
  targetTypes,
} from '@ithings/contract/features/forwarding/targets.ts'
import * as z from 'zod'

type Values = Readonly<Record<string, unknown>>

/** What a target of this type is asked for. */
export const targetSchema = (type: TargetType): z.ZodObject => {
  const found = targetSettings.options.find(({ shape }) => shape.type.value === type)
  if (!found) throw new Error(`no target ${type}`)
  return found
}

export const targetFields = (type: TargetType): string[] =>
  Object.keys(targetSchema(type).shape).filter((name) => name !== 'type')

/** What the fields of a type begin with; what must be filled in is empty. */
export const targetDefaults = (type: TargetType): Record<string, unknown> =>
  Object.fromEntries(
    targetFields(type).map((name) => {
      const field = targetSchema(type).shape[name] as z.ZodType
      const given = field.safeParse(undefined)
      return [name, given.success ? given.data : '']
    }),
  )

/** Fields of all types; which of them count, and how, the type says. */
const anyTarget: object = Object.fromEntries(
  targetTypes.flatMap(targetFields).map((name) => [name, z.unknown().optional()]),
)

const { name, desc, sources, form, script, lagSeconds, channelIDs } = forwardBody.shape
const fields = z.object({
  ...anyTarget,
  ...forwardFilter.shape,
  type: z.enum(targetTypes),
  name,
  desc,
  sources,
  form,
  script,
  lagSeconds,
  channelIDs,
})
export type RuleFormValues = z.output<typeof fields>
export type RuleFormInput = z.input<typeof fields>

/** What another type left behind in the form does not travel. */
export const targetOf = (values: Values): TargetSettings => {
  const type = values.type as TargetType
  const own = targetFields(type).flatMap((field) => (values[field] === undefined ? [] : [[field, values[field]]]))
  return { type, ...Object.fromEntries(own) } as TargetSettings
}

/** Of the filter; the rest stands in the rule under the same name. */
const filterOf = ({ productIDs, deviceNames, groupIDs, tags, identifiers }: RuleFormValues) => ({
  productIDs,
  deviceNames,
  groupIDs,
  tags,
  identifiers,
})

export const bodyOf = (values: RuleFormValues) => ({
  name: values.name,
  desc: values.desc,
  sources: values.sources,
  filter: filterOf(values),
  form: values.form,
  script: values.script,
  target: targetOf(values),
  lagSeconds: values.lagSeconds,
  channelIDs: values.channelIDs,
})

/** The field of the form that holds what stands at this place of the rule. */
export const fieldAt = (path: readonly PropertyKey[]): PropertyKey[] =>
  path[0] === 'target' || path[0] === 'filter' ? path.slice(1) : [...path]

export const ruleForm = fields.superRefine((values, context) => {
  const judged = forwardBody.safeParse(bodyOf(values))
  for (const issue of judged.error?.issues ?? []) context.addIssue({ ...issue, path: fieldAt(issue.path) })
})

export const newRule: Partial<RuleFormInput> = {
  ...targetDefaults('webhook'),
  ...forwardFilter.parse({}),
  type: 'webhook',
  name: '',
  desc: '',
  sources: ['property'],
  form: 'json',
  script: '',
  lagSeconds: 0,
  channelIDs: [],
}

export const formOf = (rule: ForwardRule): Partial<RuleFormInput> => ({
  ...rule.filter,
  ...rule.target,
  name: rule.name,
  desc: rule.desc,
  sources: rule.sources,
  form: rule.form,
  script: rule.script,
  lagSeconds: rule.lagSeconds,
  channelIDs: rule.channelIDs,
})
