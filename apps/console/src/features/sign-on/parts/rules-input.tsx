import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import {
  type RoleRule,
  roleRule,
  ruleOperatorLabels,
  ruleOperators,
  signOnLimits,
} from '@ithings/contract/features/sign-on.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Input, Select } from 'antd'
import { RoleSelect } from './role-select.tsx'
import './sign-on.css'

type Draft = Partial<RoleRule>

interface RuleRowProps {
  rule: Draft
  /** From one. */
  place: number
  count: number
  onChange: (rule: Draft) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** Red once something was typed in the row and a field is missing. */
function RuleRow({ rule, place, count, onChange, onMove, onRemove }: RuleRowProps) {
  const begun = Boolean(rule.claim || rule.value || rule.roleID)
  const status = (field: keyof RoleRule) =>
    begun && !roleRule.shape[field].safeParse(rule[field]).success ? 'error' : ''
  const button = (label: string, icon: React.ReactNode, onClick: () => void, disabled = false) => (
    <Button
      type="text"
      size="small"
      aria-label={label}
      title={label}
      icon={icon}
      disabled={disabled}
      onClick={onClick}
    />
  )
  return (
    <li className="sign-on-rule grid gap-8">
      <span className="meta centered">{place}</span>
      <Input
        className="mono"
        aria-label={t('第 {place} 条规则的声明', { place })}
        placeholder="groups"
        maxLength={128}
        status={status('claim')}
        value={rule.claim ?? ''}
        onChange={(event) => onChange({ ...rule, claim: event.target.value })}
      />
      <Select
        aria-label={t('第 {place} 条规则的比较方式', { place })}
        value={rule.operator ?? 'contains'}
        options={ruleOperators.map((value) => ({ value, label: t(ruleOperatorLabels[value]) }))}
        onChange={(operator) => onChange({ ...rule, operator })}
      />
      <Input
        className="mono"
        aria-label={t('第 {place} 条规则的值', { place })}
        placeholder="iot-operators"
        maxLength={256}
        status={status('value')}
        value={rule.value ?? ''}
        onChange={(event) => onChange({ ...rule, value: event.target.value })}
      />
      <RoleSelect
        aria-label={t('第 {place} 条规则的角色', { place })}
        status={status('roleID')}
        value={rule.roleID}
        onChange={(roleID) => onChange({ ...rule, roleID })}
      />
      <span className="inline-row">
        {button(t('上移'), <ArrowUpOutlined />, () => onMove(-1), place === 1)}
        {button(t('下移'), <ArrowDownOutlined />, () => onMove(1), place === count)}
        {button(t('删除'), <DeleteOutlined />, onRemove)}
      </span>
    </li>
  )
}

interface RulesInputProps {
  value?: Draft[]
  onChange?: (rules: Draft[]) => void
}

/** Rules in their order: the first that holds gives the role. */
export function RulesInput({ value = [], onChange }: RulesInputProps) {
  const replace = (at: number, rule: Draft) => onChange?.(value.map((one, i) => (i === at ? rule : one)))
  const move = (at: number, by: -1 | 1) => {
    const rest = value.toSpliced(at, 1)
    onChange?.(rest.toSpliced(at + by, 0, value[at] as Draft))
  }
  return (
    <div className="column gap-8">
      {value.length > 0 && (
        <ol className="bare column gap-8 pad-0" style={{ listStyle: 'none' }}>
          {value.map((rule, at) => (
            <RuleRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name, its place is what it is.
              key={at}
              rule={rule}
              place={at + 1}
              count={value.length}
              onChange={(next) => replace(at, next)}
              onMove={(by) => move(at, by)}
              onRemove={() => onChange?.(value.toSpliced(at, 1))}
            />
          ))}
        </ol>
      )}
      <span>
        <Button
          icon={<PlusOutlined />}
          disabled={value.length >= signOnLimits.rules}
          onClick={() => onChange?.([...value, { operator: 'contains' }])}
        >
          {t('添加规则')}
        </Button>
      </span>
    </div>
  )
}
