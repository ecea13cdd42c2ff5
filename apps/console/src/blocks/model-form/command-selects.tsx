/** What of a model can be commanded: writable properties, callable actions. */
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Select } from 'antd'
import { callableOf, writableOf } from './command-text.ts'
import './model-form.css'

const optionOf = ({ identifier, name }: { identifier: string; name: string }) => ({
  value: identifier,
  label: name,
  identifier,
})
const drawOption = ({ data }: { data: { label: string; identifier: string } }) => (
  <span className="flex between gap-12">
    <span>{data.label}</span>
    <span className="mono quiet">{data.identifier}</span>
  </span>
)
const search = { optionFilterProp: ['label', 'identifier'] }

interface PropertySelectProps {
  id?: string
  model: ThingModel
  value: string[]
  onChange: (identifiers: string[]) => void
  disabled?: boolean
}

export function PropertySelect({ id, model, value, onChange, disabled }: PropertySelectProps) {
  const writable = writableOf(model)
  return (
    <Select
      id={id}
      mode="multiple"
      aria-label={t('要设置的属性')}
      className="wide"
      placeholder={writable.length > 0 ? t('选择要设置的属性') : t('物模型没有可写的属性')}
      disabled={disabled || writable.length === 0 || undefined}
      value={value}
      options={writable.map(optionOf)}
      optionRender={drawOption}
      showSearch={search}
      onChange={onChange}
    />
  )
}

interface ActionSelectProps {
  id?: string
  model: ThingModel
  /** '': none yet. */
  value: string
  onChange: (identifier: string) => void
  disabled?: boolean
}

export function ActionSelect({ id, model, value, onChange, disabled }: ActionSelectProps) {
  const actions = callableOf(model)
  const isGone = value !== '' && !actions.some(({ identifier }) => identifier === value)
  const gone = isGone ? [{ value, label: t('{identifier}（已不存在）', { identifier: value }), identifier: '' }] : []
  return (
    <Select
      id={id}
      aria-label={t('要调用的行为')}
      className="wide"
      placeholder={actions.length > 0 ? t('选择行为') : t('物模型没有可调用的行为')}
      disabled={disabled || (actions.length === 0 && gone.length === 0) || undefined}
      value={value || null}
      options={[...actions.map(optionOf), ...gone]}
      optionRender={drawOption}
      showSearch={search}
      onChange={onChange}
    />
  )
}
