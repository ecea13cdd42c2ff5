import {
  ApiOutlined,
  ClusterOutlined,
  EditOutlined,
  EllipsisOutlined,
  FolderAddOutlined,
  HddOutlined,
  SendOutlined,
} from '@ant-design/icons'
import { type Device, deleteDevice, updateDevice, YesNo } from '@ithings/contract/features/devices/info.ts'
import { DeviceType, deviceTypeLabels } from '@ithings/contract/features/products/info.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Tag } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { usePageName } from '#kit/page-name.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { latestQuery } from '../../live-queries.ts'
import { gatewayOfQuery, groupsOfDeviceQuery } from '../../queries.ts'
import { lastReport } from '../cockpit/property-rows.ts'
import { type OpenAlarms, OpenAlarmsMark } from '../open-alarms.tsx'
import type { Fact } from './card.tsx'
import './detail.css'
import { sendProperty } from '@ithings/contract/features/devices/interact.ts'
import { addGroupDevices } from '@ithings/contract/features/groups.ts'
import { May, useHeld } from '#kit/rights.tsx'
import { groupDetailPath, productDetailPath } from './paths.ts'

const tiles: Readonly<Record<number, ReactNode>> = {
  [DeviceType.device]: <HddOutlined />,
  [DeviceType.gateway]: <ClusterOutlined />,
  [DeviceType.subDevice]: <ApiOutlined />,
}

const shownGroups = 3

/** Groups as chips; the rest by number leads to the tab. */
function GroupChips({ device, allPath }: { device: Device; allPath: string }) {
  const groups = useQuery(groupsOfDeviceQuery(device)).data?.list ?? []
  if (groups.length === 0) return <span className="no-value">—</span>
  const rest = groups.length - shownGroups
  return (
    <>
      {groups.slice(0, shownGroups).map(({ groupID, groupName }) => (
        <Link key={groupID} to={groupDetailPath(groupID)}>
          <Tag variant="outlined">{groupName}</Tag>
        </Link>
      ))}
      {rest > 0 && (
        <Link to={allPath}>
          <Tag variant="outlined">+{rest}</Tag>
        </Link>
      )}
    </>
  )
}

/** The gateway of a sub-device, or that it has none. */
export function GatewayOf({ device }: { device: Device }) {
  const { data } = useQuery(gatewayOfQuery(device))
  if (!data?.gateway) return <span className="no-value">{data ? '未绑定' : '—'}</span>
  return <Link to={deviceDetailPath(data.gateway)}>{data.gateway.deviceAlias || data.gateway.deviceName}</Link>
}

interface DeviceHeaderProps {
  device: Device
  alarms: OpenAlarms
  groupsPath: string
  onEdit: () => void
  onJoin: () => void
  /** Leads to the command panel. */
  onCommand: () => void
  onRefresh: () => void
  onDelete: () => void
}

export function DeviceHeader({ device, alarms, groupsPath, ...on }: DeviceHeaderProps) {
  const held = useHeld()
  usePageName(device.deviceAlias || device.deviceName)
  // screens.md 6 "last seen": its last word, or when it came if it never said anything.
  const heard = lastReport(useQuery(latestQuery(device)).data?.list ?? [])
  const line: Fact[] = [
    { label: '设备名称', value: <Copyable text={device.deviceName} /> },
    {
      label: '产品',
      value: <Link to={productDetailPath(device.productID)}>{device.productName || device.productID}</Link>,
    },
    { label: '类型', value: labelOf(deviceTypeLabels, device.deviceType) },
    {
      label: '固件',
      value: device.version ? <span className="mono">{device.version}</span> : <span className="no-value">—</span>,
    },
    ...(device.deviceType === DeviceType.subDevice
      ? [{ label: '所属网关', value: <GatewayOf device={device} /> }]
      : []),
    { label: '分组', value: <GroupChips device={device} allPath={groupsPath} /> },
    heard > 0
      ? { label: '最后上报', value: <TimeText value={heard} /> }
      : { label: '最后上线', value: <TimeText value={device.lastLogin} /> },
  ]
  return (
    <header className="device-band">
      <div className="device-band-row flex wrap top">
        <span className="device-tile inline-row fixed softer" aria-hidden="true">
          {tiles[device.deviceType] ?? <HddOutlined />}
        </span>
        <div className="device-band-text">
          <h1 className="device-title">
            {device.deviceAlias || device.deviceName}
            <DeviceStatusTag device={device} filled />
            <OpenAlarmsMark device={device} alarms={alarms} filled />
            {device.isEnable === YesNo.no && <StatusTag filled text="已禁用" tone="default" />}
            {device.isSimulated === YesNo.yes && <StatusTag filled text="模拟" tone="default" />}
          </h1>
          <dl className="device-line flex wrap bare">
            {line.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div className="device-buttons flex gap-8">
          <May needs={sendProperty}>
            <Button icon={<SendOutlined />} onClick={on.onCommand}>
              发送指令
            </Button>
          </May>
          <May needs={updateDevice}>
            <Button icon={<EditOutlined />} onClick={on.onEdit}>
              编辑
            </Button>
          </May>
          <May needs={addGroupDevices}>
            <Button icon={<FolderAddOutlined />} onClick={on.onJoin}>
              加入分组
            </Button>
          </May>
          <Dropdown
            trigger={['click']}
            placement="bottomRight"
            menu={{
              items: held([
                { key: 'refresh', label: '刷新', onClick: on.onRefresh },
                { key: 'delete', label: '删除', needs: deleteDevice, onClick: on.onDelete },
              ]),
            }}
          >
            <Button icon={<EllipsisOutlined />} aria-label="更多操作" />
          </Dropdown>
        </div>
      </div>
    </header>
  )
}
