import { ReloadOutlined } from '@ant-design/icons'
import { simulateDevices } from '@ithings/contract/features/devices/bulk.ts'
import {
  createDeviceBody,
  type Device,
  deviceNamePattern,
  LogLevel,
  MobileOperator,
  mobileOperatorLabels,
  updateDeviceBody,
} from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Form, type FormInstance, Input, Radio, Select, Space } from 'antd'
import { Link, useNavigate } from 'react-router'
import { deviceEnabledOptions, deviceTitle, hasPosition, logLevelOptions } from '#blocks/device/labels.ts'
import { PositionInput, positionField } from '#blocks/device/position-input.tsx'
import { deviceQuery, useCreateDevice, useSimulateDevices, useUpdateDevice } from '#blocks/device/queries.ts'
import { DeviceTab } from '#blocks/device/tabs.ts'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field, type InputProps } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { deviceDetailPath, paths } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { TagInput } from '#kit/tag-input.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { translated } from '../translated.ts'
import { isNameTaken, randomDeviceName } from './device-name.ts'

const createSchema = createDeviceBody
  .pick({ productID: true, deviceName: true, deviceAlias: true, logLevel: true, tags: true, address: true })
  .extend({ position: positionField })
const editSchema = updateDeviceBody.extend({ position: positionField })

const operatorOptions = Object.values(MobileOperator).map((value) => ({ value, label: mobileOperatorLabels[value] }))
const typingPause = 400

function NameField({ form }: { form: FormInstance }) {
  const productID: unknown = Form.useWatch('productID', form)
  return (
    <Field
      name="deviceName"
      label={t('设备名称')}
      extra={t('1 到 48 位字母、数字或 _ - . : @，在产品内唯一，创建后不能修改')}
      dependencies={['productID']}
      validateDebounce={typingPause}
      rules={[
        {
          validator: async (_rule, deviceName: unknown) => {
            if (typeof productID !== 'string' || typeof deviceName !== 'string') return
            if (!deviceNamePattern.test(deviceName)) return
            // A failed look-up is no reason to refuse a name.
            if (await isNameTaken({ productID, deviceName }).catch(() => false)) {
              throw new Error(t('设备名称 {deviceName} 在这个产品中已存在', { deviceName }))
            }
          },
        },
      ]}
      hasFeedback
    >
      <NameInput />
    </Field>
  )
}

function NameInput({ id, value = '', onChange, disabled = false }: InputProps<string> & { disabled?: boolean }) {
  return (
    <Space.Compact block>
      <Input
        id={id}
        value={value}
        maxLength={48}
        className="mono"
        autoComplete="off"
        placeholder={t('例如 PS-CY-0007')}
        disabled={disabled}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Button icon={<ReloadOutlined />} disabled={disabled} onClick={() => onChange?.(randomDeviceName())}>
        {t('随机生成')}
      </Button>
    </Space.Compact>
  )
}

function CommonFields() {
  return (
    <>
      <Field name="deviceAlias" label={t('设备别名')}>
        <Input maxLength={64} showCount placeholder={t('给人看的名字，例如 朝阳北路 7 号泵站')} />
      </Field>
      <Field name="logLevel" label={t('日志级别')} extra={t('设备上报的本地日志达到这一级别才保存')}>
        <Radio.Group options={logLevelOptions()} />
      </Field>
      <Field name="tags" label={t('标签')}>
        <TagInput />
      </Field>
      <Field name="address" label={t('详细地址')}>
        <Input maxLength={256} placeholder={t('省、市、街道和门牌')} />
      </Field>
      <Field name="position" label={t('位置')} extra={t('百度坐标（BD09）')}>
        <PositionInput />
      </Field>
    </>
  )
}

export function CreateDeviceForm({ productID, ...opened }: Opened & { productID?: string | undefined }) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const may = useMay()
  const create = useCreateDevice()
  const simulate = useSimulateDevices()
  return (
    <FormDrawer
      {...opened}
      title={t('新增设备')}
      schema={createSchema}
      initialValues={{ logLevel: LogLevel.off, ...(productID && { productID }) }}
      submitText={t('创建')}
      alternativeText={may(simulateDevices) ? t('创建并模拟') : undefined}
      onSubmit={async (values, { alternative }) => {
        await create.mutateAsync(values)
        void message.success(t('创建成功'))
        // The device is there whatever becomes of its simulation.
        const refused = alternative
          ? await simulate.mutateAsync({ list: [values], on: true }).then(
              ({ failed }) => failed[0]?.msg,
              (error: unknown) => describeError(error).reason,
            )
          : undefined
        if (refused) void message.warning(t('没有开始模拟：{reason}', { reason: refused }))
        void navigate(deviceDetailPath(values, DeviceTab.status))
      }}
    >
      {(form) => (
        <>
          <Field
            name="productID"
            label={t('所属产品')}
            extra={
              <RichText
                text={t('没有合适的产品？先到 <0>产品</0> 新增')}
                parts={[<Link key="products" to={paths.products} />]}
              />
            }
          >
            <ProductPicker />
          </Field>
          <NameField form={form} />
          <CommonFields />
        </>
      )}
    </FormDrawer>
  )
}

export function EditDeviceForm({ device, ...opened }: Opened & { device: Device }) {
  const client = useQueryClient()
  const update = useUpdateDevice()
  const valuesOf = (one: Device) => ({
    productID: one.productID,
    deviceName: one.deviceName,
    deviceAlias: one.deviceAlias,
    logLevel: one.logLevel,
    tags: one.tags,
    address: one.address,
    position: hasPosition(one) ? one.position : undefined,
    phone: one.phone ?? '',
    iccid: one.iccid ?? '',
    mobileOperator: one.mobileOperator || undefined,
    isEnable: one.isEnable,
    rev: one.rev,
  })
  const stale = useStaleEdit(device.rev, async () =>
    valuesOf(await client.fetchQuery({ ...deviceQuery(device), staleTime: 0 })),
  )
  return (
    <FormDrawer
      {...opened}
      title={t('编辑设备「{deviceTitle}」', { deviceTitle: deviceTitle(device) })}
      schema={editSchema}
      initialValues={valuesOf(device)}
      stale={stale}
      onSubmit={async (values, { rev }) => {
        // An emptied position is sent as the platform's "none"; a missing one would mean "unchanged".
        const position = values.position ?? { longitude: 0, latitude: 0 }
        await update.mutateAsync({ ...values, position, rev })
      }}
      done={t('更新成功')}
    >
      <CommonFields />
      <Field name="isEnable" label={t('启用状态')} extra={t('禁用的设备不能连接平台')}>
        <Radio.Group options={deviceEnabledOptions()} />
      </Field>
      <div className="field-pair">
        <Field name="phone" label={t('手机号')}>
          <Input maxLength={20} inputMode="tel" autoComplete="off" placeholder={t('SIM 卡的号码')} />
        </Field>
        <Field name="iccid" label={t('SIM 卡卡号')}>
          <Input maxLength={20} autoComplete="off" placeholder="ICCID" />
        </Field>
      </div>
      <Field name="mobileOperator" label={t('移动运营商')}>
        <Select allowClear options={translated(operatorOptions)} placeholder={t('未设置')} />
      </Field>
    </FormDrawer>
  )
}
