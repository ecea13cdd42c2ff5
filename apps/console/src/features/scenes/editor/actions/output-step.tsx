import type { DeviceOutput } from '@ithings/contract/rules/scene-parts.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import { ActionSelect, PropertySelect } from '#blocks/model-form/command-selects.tsx'
import {
  callableOf,
  chooseAction,
  chooseProperties,
  fitsForm,
  valuesOfText,
  writableOf,
} from '#blocks/model-form/command-text.ts'
import { ParamsForm } from '#blocks/model-form/params-form.tsx'
import { checkParams } from '#blocks/model-form/value-issues.ts'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { CodeEditor } from '#kit/code-editor.tsx'
import { type PartProps, triggerProducts, useEditor } from '../editor-context.ts'
import { DeviceRange } from '../parts/device-range.tsx'
import { Field } from '../parts/field.tsx'

const ranges = ['trigger', 'fixed', 'group', 'all'] as const
const withoutTrigger = ['fixed', 'group', 'all'] as const
const types = [
  { value: 'propertyControl' as const, label: '属性设置' },
  { value: 'action' as const, label: '行为调用' },
]

/** Another product, or another way to tell it something, begins with an empty command. */
const blank = { dataID: '', value: '{}' }

/** Which devices: of the product that triggers, or of another one. */
function Target({ item, value: output, onChange }: PartProps<DeviceOutput>) {
  const { draft } = useEditor()
  const { productID, selector } = output
  const products = triggerProducts(draft)
  const ownProduct = selector === 'trigger' && products.length === 1 && products[0] === productID
  return (
    <>
      {!ownProduct && (
        <Field item={item} name="device.productID" width={160}>
          <ProductPicker
            aria-label={t('产品')}
            allowClear={false}
            value={productID || undefined}
            onChange={(next = '') => {
              const selectorValues = selector === 'fixed' ? null : output.selectorValues
              onChange({ ...output, productID: next, selectorValues, ...blank })
            }}
          />
        </Field>
      )}
      <DeviceRange
        item={item}
        prefix="device."
        productID={productID}
        choices={draft.triggerType === 'device' ? ranges : withoutTrigger}
        value={output}
        onChange={(range) => {
          const own = range.selector === 'trigger' ? products[0] : undefined
          onChange({ ...output, ...range, ...(own && own !== productID && { productID: own, ...blank }) })
        }}
      />
    </>
  )
}

/** Which devices, and what they are told: by the form of the model, or as JSON. */
export function OutputStep({ item, value: output, onChange }: PartProps<DeviceOutput>) {
  const { models } = useEditor()
  const { productID, type, dataID, value } = output
  const model = models.get(productID)
  const fits = fitsForm(model, type, dataID, value)
  const [asked, setAsked] = useState<'form' | 'json'>('form')
  // What the form cannot show is shown as it is.
  const view = fits || (type === 'action' && dataID === '') ? asked : 'json'
  return (
    <div className="step-fields column gap-8">
      <div className="scene-row row wrap shrink gap-8">
        <Target item={item} value={output} onChange={onChange} />
        <Segmented
          aria-label={t('输出方式')}
          value={type}
          options={types
            .filter(({ value: one }) => one === type || one !== 'action' || !model || callableOf(model).length > 0)
            .map(({ value: one, label }) => ({ value: one, label: t(label) }))}
          onChange={(next) => onChange({ ...output, type: next, ...blank })}
        />
        {model && (fits || view === 'form') && (
          <Segmented
            aria-label={t('编辑方式')}
            className="to-end"
            value={view}
            options={[
              { value: 'form' as const, label: t('表单') },
              { value: 'json' as const, label: 'JSON' },
            ]}
            onChange={setAsked}
          />
        )}
      </div>
      {type === 'propertyControl' && view === 'form' && model && (
        <PropertyForm
          item={item}
          model={model}
          value={value}
          onChange={(next) => onChange({ ...output, value: next })}
        />
      )}
      {type === 'action' && model && (
        <ActionForm
          item={item}
          model={model}
          actionID={dataID}
          value={value}
          plain={view === 'json'}
          onChange={(next) => onChange({ ...output, ...next })}
        />
      )}
      {view === 'json' && (
        <CodeEditor
          language="json"
          height={140}
          value={value}
          aria-label={t('下发内容')}
          onChange={(next) => onChange({ ...output, value: next })}
        />
      )}
    </div>
  )
}

interface PropertyFormProps {
  item: string
  model: ThingModel
  value: string
  onChange: (value: string) => void
}

/** Any of the writable properties, each with the control of its type. */
function PropertyForm({ item, model, value, onChange }: PropertyFormProps) {
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

function ActionForm({ item, model, actionID, value, plain, onChange }: ActionFormProps) {
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
      {action && !plain && action.input.length === 0 && <p className="meta">{t('这个行为没有输入参数。')}</p>}
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
