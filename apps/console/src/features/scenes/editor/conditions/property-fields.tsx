import type { ColumnSchema } from '@ithings/contract/rules/scene-parts.ts'
import { t } from '@ithings/contract/text.ts'
import { Select } from 'antd'
import { useState } from 'react'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { type PartProps, triggerProducts, useEditor } from '../editor-context.ts'
import { firstTerm } from '../logic/edit-trigger.ts'
import { findChoice } from '../logic/model-data.ts'
import { DataSelect } from '../parts/data-select.tsx'
import { Field } from '../parts/field.tsx'
import { TermFields } from '../parts/term-fields.tsx'

type Source = 'trigger' | 'other'

/** The latest value of a property: of the device that started the scene, or of any other one. */
export function PropertyFields({ item, value: schema, onChange }: PartProps<ColumnSchema>) {
  const { draft, models } = useEditor()
  const byDevice = draft.triggerType === 'device'
  const products = triggerProducts(draft)
  // "Another device" that is not chosen yet looks like the triggering one on the wire.
  const [other, setOther] = useState(!byDevice)
  const source: Source = schema.deviceName !== '' || other ? 'other' : 'trigger'
  const { productID, dataID } = schema
  const define = findChoice(models.get(productID), 'property', dataID)?.define
  const withProduct = (next: string): ColumnSchema =>
    next === productID
      ? schema
      : { ...schema, productID: next, deviceName: '', dataID: [], termType: 'eq', values: [''] }
  const chooseSource = (next: Source) => {
    setOther(next === 'other')
    const own = products.includes(productID) ? productID : (products[0] ?? productID)
    onChange(next === 'trigger' ? { ...withProduct(own), deviceName: '' } : schema)
  }
  const askProduct = source === 'other' || products.length > 1 || (productID !== '' && !products.includes(productID))
  return (
    <>
      <Field item={item} name="columnSchema.deviceName" width={104}>
        <Select
          aria-label={t('哪个设备')}
          value={source}
          options={[
            { value: 'trigger', label: t('触发设备'), disabled: !byDevice },
            { value: 'other', label: t('指定设备') },
          ]}
          onChange={chooseSource}
        />
      </Field>
      {(askProduct || productID === '') && (
        <Field item={item} name="columnSchema.productID" width={112} grow>
          <ProductPicker
            aria-label={t('产品')}
            allowClear={false}
            value={productID || undefined}
            onChange={(next) => onChange(withProduct(next ?? ''))}
          />
        </Field>
      )}
      {source === 'other' && (
        <Field item={item} name="columnSchema.deviceName" width={120} grow>
          <DevicePicker
            aria-label={t('设备')}
            productID={productID || undefined}
            allowClear={false}
            value={schema.deviceName || undefined}
            onChange={(deviceName) => onChange({ ...schema, deviceName: deviceName ?? '' })}
          />
        </Field>
      )}
      <Field item={item} name="columnSchema.dataID" width={112} grow>
        <DataSelect
          kind="property"
          comparable
          productID={productID}
          dataID={dataID}
          onChange={(next, chosen) => {
            const { termType, values } = firstTerm(chosen)
            onChange({ ...schema, dataID: next, termType: termType ?? 'eq', values: values ?? [''] })
          }}
        />
      </Field>
      <TermFields
        item={item}
        prefix="columnSchema."
        define={define}
        term={schema}
        onChange={({ termType, values }) =>
          onChange({ ...schema, termType: termType ?? schema.termType, values: values ?? schema.values })
        }
      />
    </>
  )
}
