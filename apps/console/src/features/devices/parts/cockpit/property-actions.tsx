import type { Device } from '@ithings/contract/features/devices/info.ts'
import { getPropertyReply } from '@ithings/contract/features/devices/interact.ts'
import { Tooltip } from 'antd'
import { Link } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { May } from '#kit/rights.tsx'
import { DeviceTab } from '../detail/tabs.ts'
import { isDirect } from './property-body.tsx'
import { isWritable, type PropertyRow } from './property-rows.ts'
import type { SendState } from './use-sends.ts'

interface PropertyActionsProps {
  device: Device
  row: PropertyRow
  state: SendState | undefined
  online: boolean
  locked: string | undefined
  onEdit: () => void
  onRead: () => void
  onLeave: () => void
}

export const historyPath = (device: Device, identifier: string): string =>
  `${deviceDetailPath(device, DeviceTab.data)}?props=${encodeURIComponent(identifier)}`

export function PropertyActions({ device, row, state, online, locked, onEdit, onRead, onLeave }: PropertyActionsProps) {
  const { identifier, isUseShadow, isNoRecord, name } = row.property
  if (state?.phase === 'sending' || state?.phase === 'reading') {
    return (
      <Tooltip title="不再等待；设备的回复仍会进入下发记录">
        <button type="button" className="plain-button" onClick={onLeave}>
          取消
        </button>
      </Tooltip>
    )
  }
  return (
    <>
      {isWritable(row) && !isDirect(row) && (
        <button
          type="button"
          className="plain-button"
          aria-label={`设置${name}`}
          disabled={locked !== undefined}
          title={locked}
          onClick={onEdit}
        >
          设置
        </button>
      )}
      <May needs={getPropertyReply}>
        <button
          type="button"
          className="plain-button"
          aria-label={`读取${name}`}
          disabled={!online}
          title={online ? '请设备现在上报这个属性' : '设备离线，无法读取'}
          onClick={onRead}
        >
          读取
        </button>
      </May>
      {isUseShadow && <Link to={deviceDetailPath(device, DeviceTab.shadow)}>影子</Link>}
      {!isNoRecord && <Link to={historyPath(device, identifier)}>历史</Link>}
    </>
  )
}
