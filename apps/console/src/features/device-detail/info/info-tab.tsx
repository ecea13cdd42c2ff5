import { CopyOutlined, EditOutlined } from '@ant-design/icons'
import {
  type Device,
  type LogLevel,
  mobileOperatorLabels,
  updateDevice,
} from '@ithings/contract/features/devices/info.ts'
import { deviceTypeLabels } from '@ithings/contract/features/products.ts'
import { readDeviceSecret } from '@ithings/contract/features/secrets.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { deviceEnabledLooks, logLevelOptions } from '#blocks/device/labels.ts'
import { keyOf, useUpdateDevice } from '#blocks/device/queries.ts'
import { ProductLink } from '#blocks/device-link.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { type Fact, Facts } from '#blocks/facts.tsx'
import { SecretField } from '#blocks/secret-field.tsx'
import { deviceSecret } from '#blocks/secret-owner.ts'
import { Copyable, useCopy } from '#kit/copyable.tsx'
import { ActButton, useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { Card } from '../card.tsx'
import { identityJson } from '../clipboard.ts'
import { gatewayFact } from '../device-header.tsx'
import { PositionCard } from './position-card.tsx'
import { TagsCard } from './tags-card.tsx'
import { WithSilence } from './with-silence.tsx'

const code = (text: string): ReactNode => text && <span className="mono">{text}</span>

const partsOf = (device: Device): Record<string, Fact[]> => ({
  [t('身份')]: [
    { label: t('设备名称'), value: <Copyable text={device.deviceName} /> },
    { label: t('设备别名'), value: device.deviceAlias },
    { label: t('所属产品'), value: <ProductLink of={device} /> },
    { label: t('产品 ID'), value: <Copyable text={device.productID} /> },
    { label: t('设备密钥'), value: <SecretField owner={deviceSecret(device)} /> },
    { label: t('设备类型'), value: labelOf(deviceTypeLabels, device.deviceType) },
    ...gatewayFact(device),
  ],
  [t('状态')]: [
    { label: t('设备状态'), value: <DeviceStatusTag device={device} /> },
    {
      label: t('启用状态', { context: 'label' }),
      value: <StatusTag looks={deviceEnabledLooks()} value={device.isEnable} />,
    },
    { label: t('创建时间'), value: <TimeText value={device.createdTime} mode="exact" /> },
    { label: t('激活时间'), value: <TimeText value={device.firstLogin} mode="exact" /> },
    { label: t('最后上线'), value: <TimeText value={device.lastLogin} mode="exact" /> },
  ],
  [t('固件与硬件')]: [
    { label: t('固件版本'), value: code(device.version) },
    { label: t('硬件信息'), value: device.hardInfo },
    { label: t('软件信息'), value: device.softInfo },
    { label: 'IMEI', value: <Copyable text={device.imei} /> },
    { label: 'MAC', value: <Copyable text={device.mac} /> },
  ],
  [t('移动网络')]: [
    {
      label: t('移动运营商'),
      value: device.mobileOperator ? labelOf(mobileOperatorLabels, device.mobileOperator) : '',
    },
    { label: t('手机号'), value: device.phone },
    { label: t('SIM 卡卡号'), value: <Copyable text={device.iccid} /> },
  ],
})

/** screens.md 6.1: which of its local logs the device sends. Shown at once, taken back when refused. */
function LogLevelCard({ device }: { device: Device }) {
  const { message } = App.useApp()
  const update = useUpdateDevice()
  const may = useMay()
  const wanted = update.isPending ? update.variables.logLevel : undefined
  const set = (logLevel: LogLevel) =>
    update.mutate(
      { ...keyOf(device), logLevel },
      {
        onSuccess: () => void message.success(t('更新成功')),
        onError: (error) => void message.error(t('日志级别未保存：{reason}', { reason: describeError(error).reason })),
      },
    )
  return (
    <Card title={t('本地日志')}>
      <div className="fit" style={{ overflowX: 'auto' }}>
        <Segmented<number>
          aria-label={t('日志级别')}
          options={logLevelOptions()}
          value={Number(wanted ?? device.logLevel)}
          disabled={update.isPending || !may(updateDevice)}
          onChange={(value) => set(value as LogLevel)}
        />
      </div>
      <p className="meta bare above-8">{t('达到这一级别的本地日志才会上报并保存；关闭则不上报。')}</p>
    </Card>
  )
}

/** screens.md 6.1: everything the platform knows about the device, and the few things people set. */
export function InfoTab({ device, onEdit }: { device: Device; onEdit: () => void }) {
  const { message } = App.useApp()
  const [, copy] = useCopy()
  const copyIdentity = () =>
    deviceSecret(device)
      .read()
      .then(
        ({ secret }) => copy(identityJson({ ...device, secret })),
        (error: unknown) => void message.error(t('复制失败：{reason}', { reason: describeError(error).reason })),
      )
  const buttons = (
    <>
      <ActButton needs={readDeviceSecret} type="text" icon={<CopyOutlined />} onClick={() => void copyIdentity()}>
        {t('一键复制')}
      </ActButton>
      <ActButton needs={updateDevice} type="text" icon={<EditOutlined />} onClick={onEdit}>
        {t('编辑')}
      </ActButton>
    </>
  )
  return (
    <WithSilence device={device}>
      <div className="device-columns top gap-16 stack">
        <Card title={t('设备信息')} extra={buttons}>
          {Object.entries(partsOf(device)).map(([title, facts]) => (
            <section key={title}>
              <h3 className="device-part bold softer size-13">{title}</h3>
              <Facts facts={facts} />
            </section>
          ))}
        </Card>
        <div className="device-column stack shrink gap-16">
          <TagsCard device={device} />
          <LogLevelCard device={device} />
          <PositionCard device={device} />
        </div>
      </div>
    </WithSilence>
  )
}
