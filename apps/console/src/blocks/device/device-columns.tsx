/** Columns that the list of devices and that of sub-devices share. */

import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { deviceDetailPath } from '#kit/paths.ts'
import { TimeText } from '#kit/time-text.tsx'

interface NameColumns {
  /** Of the column with the name. */
  title: string
  /** Cards instead of rows: people read the alias first there (screens.md 5). */
  phone: boolean
  nameCell: (device: Device) => ReactNode
  sortByAlias?: boolean
}

export const nameColumns = ({ title, phone, nameCell, sortByAlias = false }: NameColumns): ListColumn<Device>[] => [
  {
    key: 'deviceName',
    title,
    hideable: false,
    sorter: true,
    phone: phone ? 'subtitle' : 'title',
    render: (_value, device) => (phone ? <span className="mono">{device.deviceName}</span> : nameCell(device)),
  },
  {
    key: 'deviceAlias',
    title: t('设备别名'),
    dataIndex: 'deviceAlias',
    sorter: sortByAlias,
    truncate: 260,
    phone: phone ? 'title' : 'hide',
    ...(phone && {
      render: (_value: unknown, device: Device) => (
        <Link to={deviceDetailPath(device)}>{device.deviceAlias || device.deviceName}</Link>
      ),
    }),
  },
]

const times = { createdTime: '创建时间', firstLogin: '激活时间', lastLogin: '最后上线' }

export const timeColumn = (key: keyof typeof times, hiddenAtFirst = false): ListColumn<Device> => ({
  key,
  title: times[key],
  sorter: true,
  hiddenAtFirst,
  phone: key === 'lastLogin' ? 'meta' : 'hide',
  render: (_value, device) => <TimeText value={device[key]} mode={key === 'lastLogin' ? 'relative' : 'exact'} />,
})
