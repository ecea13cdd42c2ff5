import { CopyOutlined, EditOutlined } from '@ant-design/icons'
import { type Device, mobileOperatorLabels, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { DeviceType, deviceTypeLabels } from '@ithings/contract/features/products/info.ts'
import { readDeviceSecret } from '@ithings/contract/features/secrets.ts'
import { App, Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { SecretField } from '#blocks/secret-field.tsx'
import { deviceSecret } from '#blocks/secret-owner.ts'
import { Copyable, useCopy } from '#kit/copyable.tsx'
import { May } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { deviceEnabledLooks } from '../../labels.ts'
import { Card, type Fact, Facts } from './card.tsx'
import { GatewayOf } from './device-header.tsx'
import { identityJson } from './identity.ts'
import { LogLevelCard } from './log-level-card.tsx'
import { productDetailPath } from './paths.ts'
import { PositionCard } from './position-card.tsx'
import { TagsCard } from './tags-card.tsx'
import { WithSilence } from './with-silence.tsx'

const code = (text: string): ReactNode => (text ? <span className="mono">{text}</span> : '')

const identityOf = (device: Device): Fact[] => [
  { label: '设备名称', value: <Copyable text={device.deviceName} /> },
  { label: '设备别名', value: device.deviceAlias },
  {
    label: '所属产品',
    value: <Link to={productDetailPath(device.productID)}>{device.productName || device.productID}</Link>,
  },
  { label: '产品 ID', value: <Copyable text={device.productID} /> },
  { label: '设备密钥', value: <SecretField owner={deviceSecret(device)} /> },
  { label: '设备类型', value: labelOf(deviceTypeLabels, device.deviceType) },
  ...(device.deviceType === DeviceType.subDevice ? [{ label: '所属网关', value: <GatewayOf device={device} /> }] : []),
]

const stateOf = (device: Device): Fact[] => [
  { label: '设备状态', value: <DeviceStatusTag device={device} /> },
  { label: '启用状态', value: <StatusTag looks={deviceEnabledLooks} value={device.isEnable} /> },
  { label: '创建时间', value: <TimeText value={device.createdTime} mode="exact" /> },
  { label: '激活时间', value: <TimeText value={device.firstLogin} mode="exact" /> },
  { label: '最后上线', value: <TimeText value={device.lastLogin} mode="exact" /> },
]

const hardwareOf = (device: Device): Fact[] => [
  { label: '固件版本', value: code(device.version) },
  { label: '硬件信息', value: device.hardInfo },
  { label: '软件信息', value: device.softInfo },
  { label: 'IMEI', value: <Copyable text={device.imei} /> },
  { label: 'MAC', value: <Copyable text={device.mac} /> },
]

const mobileOf = (device: Device): Fact[] => [
  { label: '移动运营商', value: device.mobileOperator ? labelOf(mobileOperatorLabels, device.mobileOperator) : '' },
  { label: '手机号', value: device.phone },
  { label: 'SIM 卡卡号', value: <Copyable text={device.iccid} /> },
]

/** screens.md 6.1: everything the platform knows about the device, and the few things people set. */
export function InfoTab({ device, onEdit }: { device: Device; onEdit: () => void }) {
  const { message } = App.useApp()
  const [, copy] = useCopy()
  const copyIdentity = () =>
    deviceSecret(device)
      .read()
      .then(
        ({ secret }) => copy(identityJson({ ...device, secret })),
        (error: unknown) => void message.error(`复制失败：${describeError(error).reason}`),
      )
  return (
    <WithSilence device={device}>
      <div className="device-columns">
        <div className="device-column">
          <Card
            title="设备信息"
            extra={
              <>
                <May needs={readDeviceSecret}>
                  <Button type="text" icon={<CopyOutlined />} onClick={() => void copyIdentity()}>
                    一键复制
                  </Button>
                </May>
                <May needs={updateDevice}>
                  <Button type="text" icon={<EditOutlined />} onClick={onEdit}>
                    编辑
                  </Button>
                </May>
              </>
            }
          >
            <h3 className="device-part">身份</h3>
            <Facts facts={identityOf(device)} />
            <h3 className="device-part">状态</h3>
            <Facts facts={stateOf(device)} />
            <h3 className="device-part">固件与硬件</h3>
            <Facts facts={hardwareOf(device)} />
            <h3 className="device-part">移动网络</h3>
            <Facts facts={mobileOf(device)} />
          </Card>
        </div>
        <div className="device-column">
          <TagsCard device={device} />
          <LogLevelCard device={device} />
          <PositionCard device={device} />
        </div>
      </div>
    </WithSilence>
  )
}
