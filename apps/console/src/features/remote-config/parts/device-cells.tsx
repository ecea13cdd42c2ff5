import { Link } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import './pushes.css'

interface Named {
  deviceName: string
  deviceAlias: string
}

/** The device of a row, the way to its page, and what people call it. */
export const deviceColumn = <T extends Named>(productID: string): ListColumn<T> => ({
  key: 'deviceName',
  title: '设备',
  sorter: true,
  hideable: false,
  phone: 'title',
  exportText: ({ deviceName }) => deviceName,
  render: (_value, { deviceName, deviceAlias }) => (
    <>
      <Link to={deviceDetailPath({ productID, deviceName })}>{deviceName}</Link>
      {deviceAlias && <span className="meta config-alias">{deviceAlias}</span>}
    </>
  ),
})

const none = <span className="no-value">—</span>

export const versionText = (configID: number) => (configID > 0 ? configID : none)
/** @param ms 0: never */
export const momentText = (ms: number) => (ms > 0 ? <TimeText value={ms} mode="exact" /> : none)
/** In a file. @param ms 0: never */
export const momentWords = (ms: number): string => (ms > 0 ? formatTime(ms) : '')
