import { AutoRegister } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Form, Input, InputNumber, Radio, Select } from 'antd'
import { translated } from '#blocks/translated.ts'
import { UploadImage } from '#blocks/upload-image.tsx'
import { Field } from '#kit/form/field.tsx'
import { TagInput } from '#kit/tag-input.tsx'
import { autoCreateWarning, autoRegisterOptions, dialectOptions, logDayOptions, netTypeOptions } from '../labels.ts'

export const NameField = () => (
  <Field name="productName" label={t('产品名称')}>
    <Input maxLength={64} showCount autoFocus placeholder={t('例如 一体化预制泵站 PS-3000')} />
  </Field>
)

export const NetTypeField = () => (
  <Field name="netType" label={t('通讯方式')}>
    <Select options={translated(netTypeOptions)} />
  </Field>
)

export function AutoRegisterField() {
  const chosen = Form.useWatch<number | undefined>('autoRegister')
  return (
    <Field
      name="autoRegister"
      label={t('动态注册')}
      extra={
        chosen === AutoRegister.create ? (
          <Alert className="above-4" type="warning" showIcon title={t(autoCreateWarning)} />
        ) : (
          t('打开后，设备可用产品密钥换取自己的设备密钥。')
        )
      }
    >
      <Select options={translated(autoRegisterOptions)} />
    </Field>
  )
}

/** Both forms end with what may be left as it is. */
export function SettingFields({ image }: { image?: string }) {
  return (
    <>
      <div className="field-pair">
        <Field name="valueDays" label={t('属性数据保留')} extra={t('1 到 3650 天')}>
          <InputNumber min={1} max={3650} precision={0} suffix={t('天')} style={{ width: '100%' }} />
        </Field>
        <Field name="dialect" label={t('报文风格')} extra={t('method 的写法，回复与设备一致')}>
          <Select options={translated(dialectOptions)} />
        </Field>
      </div>
      <Field name="logDays" label={t('日志保留')}>
        <Radio.Group optionType="button" options={logDayOptions()} />
      </Field>
      <Field name="tags" label={t('产品标签')}>
        <TagInput />
      </Field>
      <Field name="productImg" label={t('产品图片')}>
        <UploadImage scene="productManage/productImg" {...(image !== undefined && { current: image })} />
      </Field>
      <Field name="desc" label={t('产品描述')}>
        <Input.TextArea rows={3} maxLength={512} showCount />
      </Field>
    </>
  )
}
