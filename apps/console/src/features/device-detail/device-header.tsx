import { EditOutlined, EllipsisOutlined, FolderAddOutlined, SendOutlined } from '@ant-design/icons'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { type Device, deleteDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices } from '@ithings/contract/features/groups.ts'
import { DeviceType, deviceTypeLabels } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Tag } from 'antd'
import { Link, useNavigate } from 'react-router'
import { deviceTitle } from '#blocks/device/labels.ts'
import { type OpenAlarms, OpenAlarmsMark } from '#blocks/device/open-alarms.tsx'
import { gatewayOfQuery, groupsOfDeviceQuery, useDeleteAndLeave, useDevicesChanged } from '#blocks/device/queries.ts'
import { DeviceTab } from '#blocks/device/tabs.ts'
import { deletedWith } from '#blocks/device/use-device-actions.tsx'
import { ProductLink } from '#blocks/device-link.tsx'
import { DeviceStatusTag, deviceGlyphs, NotUsual } from '#blocks/device-status.tsx'
import { type Fact, Facts } from '#blocks/facts.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { usePageName } from '#kit/page-name.ts'
import { ActButton, useHeld } from '#kit/rights.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import './detail.css'
import { deviceDetailPath, groupDetailPath, paths } from '#kit/paths.ts'
import { latestQuery } from './live-queries.ts'
import { lastReport } from './state/property-rows.ts'

const shownGroups = 3

/** Groups as chips; the rest by number leads to the tab. */
function GroupChips({ device }: { device: Device }) {
  const groups = useQuery(groupsOfDeviceQuery(device)).data?.list ?? []
  if (groups.length === 0) return <span className="no-value">—</span>
  const chips = groups.slice(0, shownGroups).map(({ groupID, groupName }) => (
    <Link key={groupID} to={groupDetailPath(groupID)}>
      <Tag variant="outlined">{groupName}</Tag>
    </Link>
  ))
  const rest = groups.length - shownGroups
  return (
    <>
      {chips}
      {rest > 0 && (
        <Link to={deviceDetailPath(device, DeviceTab.groups)}>
          <Tag variant="outlined">+{rest}</Tag>
        </Link>
      )}
    </>
  )
}

/** The gateway of a sub-device, or that it has none. */
function GatewayOf({ device }: { device: Device }) {
  const { data } = useQuery(gatewayOfQuery(device))
  if (!data?.gateway) return <span className="no-value">{data ? t('未绑定') : '—'}</span>
  return <Link to={deviceDetailPath(data.gateway)}>{data.gateway.deviceAlias || data.gateway.deviceName}</Link>
}

/** Of a sub-device; others have none. */
export const gatewayFact = (device: Device): Fact[] =>
  device.deviceType === DeviceType.subDevice ? [{ label: t('所属网关'), value: <GatewayOf device={device} /> }] : []

const codeOf = (text: string) => text && <span className="mono">{text}</span>

const factsOf = (device: Device, heard: number): Fact[] => [
  { label: t('设备名称'), value: <Copyable text={device.deviceName} /> },
  { label: t('产品'), value: <ProductLink of={device} /> },
  { label: t('类型'), value: labelOf(deviceTypeLabels, device.deviceType) },
  { label: t('固件'), value: codeOf(device.version) },
  ...gatewayFact(device),
  { label: t('分组'), value: <GroupChips device={device} /> },
  heard > 0
    ? { label: t('最后上报'), value: <TimeText value={heard} /> }
    : { label: t('最后上线'), value: <TimeText value={device.lastLogin} /> },
]

function useDelete(device: Device) {
  const navigate = useNavigate()
  const confirm = useConfirm()
  const remove = useDeleteAndLeave()
  return () =>
    confirm({
      title: t('删除设备「{deviceTitle}」？', { deviceTitle: deviceTitle(device) }),
      content: deletedWith(device),
      danger: true,
      okText: t('删除'),
      typeToConfirm: device.deviceName,
      onOk: () => remove(device, () => navigate(paths.devices, { replace: true })),
      done: t('删除成功'),
    })
}

interface DeviceHeaderProps {
  device: Device
  alarms: OpenAlarms
  onEdit: () => void
  onJoin: () => void
}

export function DeviceHeader({ device, alarms, onEdit, onJoin }: DeviceHeaderProps) {
  const held = useHeld()
  const navigate = useNavigate()
  const refresh = useDevicesChanged()
  const askDelete = useDelete(device)
  const name = device.deviceAlias || device.deviceName
  usePageName(name)
  // screens.md 6 "last seen": its last word, or when it came if it never said anything.
  const heard = lastReport(useQuery(latestQuery(device)).data?.list ?? [])
  const Glyph = deviceGlyphs(device.deviceType)
  const items = held([
    { key: 'refresh', label: t('刷新'), onClick: () => void refresh() },
    { key: 'delete', label: t('删除'), needs: deleteDevice, onClick: askDelete },
  ])
  const openCommands = () => void navigate(`${deviceDetailPath(device, DeviceTab.status)}?command=1`)
  return (
    <header className="device-band container-fill">
      <div className="gap-8-16 flex wrap top">
        <span className="device-tile round-8 grey-fill inline-row center fixed softer" aria-hidden="true">
          <Glyph />
        </span>
        <div className="device-band-text shrink">
          <h1 className="device-title bold gap-4-8 size-20 line-28 row wrap bare anywhere">
            {name}
            <DeviceStatusTag device={device} filled />
            <OpenAlarmsMark device={device} alarms={alarms} filled />
            <NotUsual device={device} />
          </h1>
          <Facts className="device-line" facts={factsOf(device, heard)} />
        </div>
        <div className="device-buttons flex touches gap-8">
          <ActButton needs={sendProperty} icon={<SendOutlined />} onClick={openCommands}>
            {t('发送指令')}
          </ActButton>
          <ActButton needs={updateDevice} icon={<EditOutlined />} onClick={onEdit}>
            {t('编辑')}
          </ActButton>
          <ActButton needs={addGroupDevices} icon={<FolderAddOutlined />} onClick={onJoin}>
            {t('加入分组')}
          </ActButton>
          <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
            <Button icon={<EllipsisOutlined />} aria-label={t('更多操作')} />
          </Dropdown>
        </div>
      </div>
    </header>
  )
}
