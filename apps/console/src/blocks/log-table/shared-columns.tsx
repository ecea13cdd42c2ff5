import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { deviceDetailPath } from '#kit/paths.ts'
import { formatTime, logFormat } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'

/** What every list of what happened begins with. */
export const timeColumn = <T extends { timestamp: string }>(): ListColumn<T> => ({
  key: 'timestamp',
  title: t('时间'),
  hideable: false,
  phone: 'subtitle',
  render: (_v, row) => <TimeText value={row.timestamp} mode="log" />,
  exportText: (row) => formatTime(row.timestamp, logFormat),
})

/**
 * For lists of several devices.
 * @param productID where the rows do not say it
 */
export const deviceColumn = <T extends { productID?: string; deviceName: string }>(
  phone: 'meta' | 'title',
  tab?: number,
  productID = '',
): ListColumn<T> => ({
  key: 'deviceName',
  title: t('设备'),
  phone,
  render: (_v, row) => (
    <Link className="mono" to={deviceDetailPath({ productID, ...row }, tab)}>
      {row.deviceName}
    </Link>
  ),
  exportText: (row) => row.deviceName,
})
