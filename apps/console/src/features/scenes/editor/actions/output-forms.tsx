import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Select } from 'antd'
import { ParamsForm } from '#blocks/model-form/params-form.tsx'
import { checkParams } from '#blocks/model-form/value-issues.ts'
import { callableOf, chooseAction, chooseProperties, valuesOfText, writableOf } from '../logic/output-values.ts'
import { Field } from '../parts/field.tsx'

const optionOf = ({ identifier, name }: { identifier: string; name: string }) => ({
  value: identifier,
  label: name,
  identifier,
})
const drawOption = ({ data }: { data: { label: string; identifier: string } }) => (
  <span className="picker-option">
    <span>{data.label}</span>
    <span className="mono picker-hint">{data.identifier}</span>
  </span>
)
const search = { optionFilterProp: ['label', 'identifier'] }

interface PropertyFormProps {
  item: string
  model: ThingModel
  value: string
  onChange: (value: string) => void
}

/** Any of the writable properties, each with the control of its type. */
export function PropertyForm({ item, model, value, onChange }: PropertyFormProps) {
  const values = valuesOfText(value) ?? {}
  const writable = writableOf(model)
  const chosen = writable.filter(({ identifier }) => identifier in values)
  return (
    <>
      <Field item={item} name="device.value" width={360}>
        <Select
          mode="multiple"
          aria-label="要设置的属性"
          className="scene-wide"
          placeholder={writable.length > 0 ? '选择要设置的属性' : '物模型没有可写的属性'}
          disabled={writable.length === 0}
          value={chosen.map(({ identifier }) => identifier)}
          options={writable.map(optionOf)}
          optionRender={drawOption}
          showSearch={search}
          onChange={(ids: string[]) => onChange(chooseProperties(model, value, ids, Date.now()))}
        />
      </Field>
      {chosen.length > 0 && (
        <ParamsForm
          params={chosen}
          values={values}
          issues={checkParams(chosen, values)}
          onChange={(next) => onChange(JSON.stringify(next))}
        />
      )}
    </>
  )
}

interface ActionFormProps {
  item: string
  model: ThingModel
  actionID: string
  value: string
  /** The input is edited as JSON, only the action is chosen here. */
  plain: boolean
  onChange: (output: { dataID: string; value: string }) => void
}

export function ActionForm({ item, model, actionID, value, plain, onChange }: ActionFormProps) {
  const actions = callableOf(model)
  const action = actions.find(({ identifier }) => identifier === actionID)
  const values = valuesOfText(value) ?? {}
  const gone = actionID !== '' && !action ? [{ value: actionID, label: `${actionID}（已不存在）`, identifier: '' }] : []
  return (
    <>
      <Field item={item} name="device.dataID" width={280}>
        <Select
          aria-label="要调用的行为"
          className="scene-wide"
          placeholder={actions.length > 0 ? '选择行为' : '物模型没有可调用的行为'}
          disabled={actions.length === 0 && gone.length === 0}
          value={actionID || null}
          options={[...actions.map(optionOf), ...gone]}
          optionRender={drawOption}
          showSearch={search}
          onChange={(dataID: string) => onChange({ dataID, value: chooseAction(model, dataID, Date.now()) })}
        />
      </Field>
      {action?.desc && <p className="meta">{action.desc}</p>}
      {action && !plain && action.input.length === 0 && <p className="meta">这个行为没有输入参数。</p>}
      {action && !plain && action.input.length > 0 && (
        <ParamsForm
          params={action.input}
          values={values}
          issues={checkParams(action.input, values)}
          onChange={(next) => onChange({ dataID: actionID, value: JSON.stringify(next) })}
        />
      )}
    </>
  )
}
