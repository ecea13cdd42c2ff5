import {
  AuthMode,
  AutoRegister,
  createProductBody,
  DataProto,
  DeviceType,
  Dialect,
  defaultLogDays,
  defaultValueDays,
  NetType,
  productID as productIDSchema,
} from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Collapse, Form, Input, Radio, Select, Switch } from 'antd'
import * as z from 'zod'
import { deviceTypeOptions } from '#blocks/device-status.tsx'
import { translated } from '#blocks/translated.ts'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { stateText } from '#kit/status-tag.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { authModeOptions, dataProtoOptions } from '../labels.ts'
import { useProductWork } from '../queries.ts'
import { AutoRegisterField, NameField, NetTypeField, SettingFields } from './product-fields.tsx'

const schema = createProductBody.extend({ productID: productIDSchema.optional(), ownID: z.boolean().optional() })

/** The defaults of a new product; JSON, because a script has to be written for anything else. */
const initial: Partial<z.input<typeof schema>> = {
  ownID: false,
  deviceType: DeviceType.device,
  authMode: AuthMode.password,
  dataProto: DataProto.template,
  netType: NetType.other,
  autoRegister: AutoRegister.off,
  dialect: Dialect.auto,
  valueDays: defaultValueDays,
  logDays: defaultLogDays,
}

/** Off: the platform makes an id; on: one that is printed on boxes or burnt into firmware already. */
function OwnIDFields() {
  const own = Form.useWatch<boolean | undefined>('ownID')
  return (
    <>
      <Field
        name="ownID"
        label={t('自定义产品 ID')}
        valuePropName="checked"
        extra={own ? undefined : t('由平台自动生成')}
      >
        <Switch />
      </Field>
      {own && (
        <Field
          name="productID"
          label={t('产品 ID')}
          required
          rules={[{ required: true, message: t('产品 ID 不能为空') }]}
          extra={t('11 位字母和数字。创建后不能修改：设备按它生产和烧录。')}
        >
          <Input className="mono" maxLength={11} showCount placeholder={t('例如 PS3kQ8ZpVn0')} />
        </Field>
      )}
    </>
  )
}

interface CreateFormProps extends Opened {
  onCreated: (product: { productID: string; productName: string }) => void
}

export function CreateForm({ onCreated, ...opened }: CreateFormProps) {
  const { message } = App.useApp()
  const work = useProductWork()
  return (
    <FormDrawer
      {...opened}
      title={t('新增产品')}
      schema={schema}
      initialValues={initial}
      submitText={t('创建')}
      onSubmit={async ({ ownID, productID, ...values }) => {
        // What was typed before the switch went off again does not count.
        const created = await work.create({ ...values, ...(ownID && { productID }) })
        void message.success(t('创建成功'))
        onCreated({ ...created, productName: values.productName })
      }}
    >
      <NameField />
      <OwnIDFields />
      <div className="fixed-fields head-fill round-8">
        <p className="meta">{t('以下三项创建后不能修改：设备按它生产和烧录。')}</p>
        <Field name="deviceType" label={t('设备类型')}>
          <Radio.Group
            optionType="button"
            options={deviceTypeOptions.map(({ value, label }) => ({ value, label: stateText(label) }))}
          />
        </Field>
        <div className="field-pair">
          <Field name="authMode" label={t('认证方式')}>
            <Select options={translated(authModeOptions)} />
          </Field>
          <Field
            name="dataProto"
            label={t('数据协议')}
            extra={t('数据模板：设备直接收发平台的 JSON 消息。自定义：设备用自己的格式，由消息解析脚本转换。')}
          >
            <Select options={translated(dataProtoOptions)} />
          </Field>
        </div>
      </div>
      <NetTypeField />
      <AutoRegisterField />
      <Collapse
        ghost
        className="more-settings"
        items={[
          {
            key: 'more',
            label: t('更多设置（保留时间、标签、图片、描述）'),
            forceRender: true,
            children: <SettingFields />,
          },
        ]}
      />
    </FormDrawer>
  )
}
