import { t } from '@ithings/contract/text.ts'
import { Form, type FormInstance, Select, type SelectProps } from 'antd'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { GroupsPicker } from '#blocks/group-picker.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { Field } from '#kit/form/field.tsx'
import { TagInput } from '#kit/tag-input.tsx'

/** Entries of a list typed or pasted one after the other. */
const typed: SelectProps = {
  mode: 'tags',
  // Typed by people, not a text.
  tokenSeparators: [',', '，', ';', '；', ' ', '\n'],
  open: false,
  suffixIcon: null,
}

interface GroupsInputProps {
  id?: string
  value?: number[]
  onChange?: (groupIDs: number[]) => void
}

/** The numbers of groups, which the picker holds as texts. */
const GroupsInput = ({ id, value = [], onChange }: GroupsInputProps) => (
  <GroupsPicker
    {...(id && { id })}
    value={value.map(String)}
    onChange={(groupIDs) => onChange?.(groupIDs.map(Number))}
    placeholder={t('不限')}
  />
)

/** Devices of one product are chosen; of several, or of any, their names are typed. */
export function FilterFields({ form }: { form: FormInstance }) {
  const productIDs: string[] = Form.useWatch('productIDs', form) ?? []
  const [only] = productIDs.length === 1 ? productIDs : []
  return (
    <>
      <Field name="productIDs" label={t('产品')}>
        <ProductPicker multiple placeholder={t('不限')} />
      </Field>
      <Field name="groupIDs" label={t('分组')} extra={t('包括下级分组中的设备')}>
        <GroupsInput />
      </Field>
      <Field name="deviceNames" label={t('设备名称')} extra={only ? undefined : t('输入设备名称后按回车，可粘贴多个')}>
        {only ? (
          <DevicePicker multiple productID={only} placeholder={t('不限')} />
        ) : (
          <Select {...typed} placeholder={t('不限')} />
        )}
      </Field>
      <Field name="tags" label={t('设备标签')} extra={t('设备须有全部这些标签；值留空表示任意值')}>
        <TagInput anyValue />
      </Field>
      <Field name="identifiers" label={t('标识符')} extra={t('属性、事件或行为的标识符；属性上报中只发送列出的属性')}>
        <Select {...typed} className="mono" placeholder={t('不限')} />
      </Field>
    </>
  )
}
