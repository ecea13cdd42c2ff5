import { Link } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { formatTime, logFormat } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import type { Exchange } from './exchanges.ts'

/** What every list of the hub log begins with. */
export const timeColumn: ListColumn<Exchange> = {
  key: 'timestamp',
  title: '时间',
  hideable: false,
  phone: 'subtitle',
  render: (_v, row) => <TimeText value={row.timestamp} mode="log" />,
  exportText: (row) => formatTime(row.timestamp, logFormat),
}

/** For lists of several devices. */
export const deviceColumn = (phone: 'meta' | 'title'): ListColumn<Exchange> => ({
  key: 'deviceName',
  title: '设备',
  phone,
  render: (_v, row) => (
    <Link className="mono" to={deviceDetailPath(row)}>
      {row.deviceName}
    </Link>
  ),
  exportText: (row) => row.deviceName,
})
