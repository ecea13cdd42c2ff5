import { ReportTarget, reportLimits, reportTargetLabels } from '@ithings/contract/features/reports.ts'
import { t } from '@ithings/contract/text.ts'
import { Form, Radio } from 'antd'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { Field, type InputProps } from '#kit/form/field.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { TagInput } from '#kit/tag-input.tsx'

/** The number of a group, which the picker holds as text. */
const GroupInput = ({ id, value = 0, onChange }: InputProps<number>) => (
  <GroupPicker
    {...(id && { id })}
    value={value === 0 ? undefined : String(value)}
    onChange={(groupID) => onChange?.(Number(groupID ?? 0))}
  />
)

/** A cleared product is none. */
const ProductInput = ({ id, value, onChange }: InputProps<string>) => (
  <ProductPicker {...(id && { id })} value={value || undefined} onChange={(picked) => onChange?.(picked ?? '')} />
)

interface DevicesInputProps extends InputProps<string[]> {
  productID: string
}

const DevicesInput = ({ id, value, onChange, productID }: DevicesInputProps) => (
  <DevicePicker
    {...(id && { id })}
    multiple
    productID={productID || undefined}
    value={value}
    {...(onChange && { onChange })}
  />
)

/** Which devices it is about. What belongs to another choice is emptied, so that nothing is saved unseen. */
export function TargetFields() {
  const form = Form.useFormInstance()
  const target: ReportTarget = Form.useWatch('target', form) ?? ReportTarget.product
  const productID: string = Form.useWatch('productID', form) ?? ''
  const needed = target === ReportTarget.product || target === ReportTarget.devices
  return (
    <>
      <Field name="target" label={t('设备范围')}>
        <Radio.Group
          options={Object.values(ReportTarget).map((value) => ({ value, label: labelOf(reportTargetLabels, value) }))}
          onChange={() => form.setFieldsValue({ groupID: 0, tags: [], deviceNames: [] })}
        />
      </Field>
      <Field
        name="productID"
        label={t('产品')}
        required={needed}
        extra={needed ? undefined : t('不选：任何产品；统计属性时必须选择')}
      >
        <ProductInput />
      </Field>
      {target === ReportTarget.group && (
        <Field name="groupID" label={t('分组')} required extra={t('包含下级分组的设备')}>
          <GroupInput />
        </Field>
      )}
      {target === ReportTarget.tags && (
        <Field name="tags" label={t('标签')} required extra={t('设备要有全部这些标签')}>
          <TagInput />
        </Field>
      )}
      {target === ReportTarget.devices && (
        <Field
          name="deviceNames"
          label={t('设备')}
          required
          extra={t('最多 {count} 台', { count: reportLimits.named })}
        >
          <DevicesInput productID={productID} />
        </Field>
      )}
    </>
  )
}
