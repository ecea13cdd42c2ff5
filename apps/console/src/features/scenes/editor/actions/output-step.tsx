import type { DeviceOutput } from '@ithings/contract/rules/scene-parts.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import { callableOf, fitsForm } from '#blocks/model-form/command-text.ts'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { CodeEditor } from '#kit/code-editor.tsx'
import { triggerProducts, useEditor } from '../editor-context.ts'
import { DeviceRange } from '../parts/device-range.tsx'
import { Field } from '../parts/field.tsx'
import { ActionForm, PropertyForm } from './output-forms.tsx'

const ranges = ['trigger', 'fixed', 'group', 'all'] as const
const withoutTrigger = ['fixed', 'group', 'all'] as const
const types = [
  { value: 'propertyControl' as const, label: '属性设置' },
  { value: 'action' as const, label: '行为调用' },
]

interface OutputStepProps {
  item: string
  output: DeviceOutput
  onChange: (output: DeviceOutput) => void
}

/** Which devices, and what they are told: by the form of the model, or as JSON. */
export function OutputStep({ item, output, onChange }: OutputStepProps) {
  const { draft, models } = useEditor()
  const { productID, selector, type, dataID, value } = output
  const model = models.get(productID)
  const products = triggerProducts(draft)
  const fits = fitsForm(model, type, dataID, value)
  const [asked, setAsked] = useState<'form' | 'json'>('form')
  // What the form cannot show is shown as it is.
  const view = fits || (type === 'action' && dataID === '') ? asked : 'json'
  const otherProduct = (next: string) =>
    onChange({
      ...output,
      productID: next,
      selectorValues: selector === 'fixed' ? null : output.selectorValues,
      dataID: '',
      value: '{}',
    })
  const ownProduct = selector === 'trigger' && products.length === 1 && products[0] === productID
  return (
    <div className="step-fields column gap-8">
      <div className="scene-row">
        {!ownProduct && (
          <Field item={item} name="device.productID" width={160}>
            <ProductPicker
              aria-label="产品"
              allowClear={false}
              value={productID || undefined}
              onChange={(next) => otherProduct(next ?? '')}
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
            if (own && own !== productID) onChange({ ...output, ...range, productID: own, dataID: '', value: '{}' })
            else onChange({ ...output, ...range })
          }}
        />
        <Segmented
          aria-label="输出方式"
          value={type}
          options={types.filter(
            ({ value: one }) => one === type || one !== 'action' || !model || callableOf(model).length > 0,
          )}
          onChange={(next) => onChange({ ...output, type: next, dataID: '', value: '{}' })}
        />
        {model && (fits || view === 'form') && (
          <Segmented
            aria-label="编辑方式"
            className="to-end"
            value={view}
            options={[
              { value: 'form', label: '表单' },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={(next) => setAsked(next === 'json' ? 'json' : 'form')}
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
          aria-label="下发内容"
          onChange={(next) => onChange({ ...output, value: next })}
        />
      )}
    </div>
  )
}
