import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { ActionSelect, PropertySelect } from '#blocks/model-form/command-selects.tsx'
import {
  callableOf,
  chooseAction,
  chooseProperties,
  valuesOfText,
  writableOf,
} from '#blocks/model-form/command-text.ts'
import { ParamsForm } from '#blocks/model-form/params-form.tsx'
import { checkParams } from '#blocks/model-form/value-issues.ts'
import { Field } from '../parts/field.tsx'

interface PropertyFormProps {
  item: string
  model: ThingModel
  value: string
  onChange: (value: string) => void
}

/** Any of the writable properties, each with the control of its type. */
export function PropertyForm({ item, model, value, onChange }: PropertyFormProps) {
  const values = valuesOfText(value) ?? {}
  const chosen = writableOf(model).filter(({ identifier }) => identifier in values)
  return (
    <>
      <Field item={item} name="device.value" width={360}>
        <PropertySelect
          model={model}
          value={chosen.map(({ identifier }) => identifier)}
          onChange={(ids) => onChange(chooseProperties(model, value, ids, Date.now()))}
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
  const action = callableOf(model).find(({ identifier }) => identifier === actionID)
  const values = valuesOfText(value) ?? {}
  return (
    <>
      <Field item={item} name="device.dataID" width={280}>
        <ActionSelect
          model={model}
          value={actionID}
          onChange={(dataID) => onChange({ dataID, value: chooseAction(model, dataID, Date.now()) })}
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
