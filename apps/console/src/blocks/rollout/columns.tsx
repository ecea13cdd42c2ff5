/** Columns and cells that lists of rollouts and of their devices have alike. */

import { deviceStatus, deviceStatusLabels } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { DeviceLink } from '#blocks/device-link.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { type ProgressPart, StackedProgress } from '#blocks/stacked-progress.tsx'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { productPath } from '#kit/paths.ts'
import { lookOf, type StatusLooks, StatusTag } from '#kit/status-tag.tsx'
import { formatTime, logFormat, type WireTime } from '#kit/time.ts'
import { TimeText, type TimeTextProps } from '#kit/time-text.tsx'
import './rollout.css'

/** T is the row of the list that the column stands in, not what the functions read of it. */
type More<T> = Partial<ListColumn<NoInfer<T>>>

export const none = <span className="no-value">—</span>

export const timeColumn = <T extends object>(
  key: keyof NoInfer<T> & string,
  title: string,
  { mode = 'relative', ...more }: More<T> & Pick<TimeTextProps, 'mode'> = {},
): ListColumn<T> => ({
  key,
  title,
  sorter: true,
  phone: 'hide',
  render: (_value, row) => <TimeText value={row[key] as WireTime} mode={mode} />,
  exportText: (row) => formatTime(row[key] as WireTime, mode === 'log' ? logFormat : undefined),
  ...more,
})

/** The same text on the screen and in a file. */
export const textColumn = <T extends object>(
  key: string,
  title: string,
  textOf: (row: NoInfer<T>) => string | number,
  more: More<T> = {},
): ListColumn<T> => ({ key, title, phone: 'meta', render: (_value, row) => textOf(row), exportText: textOf, ...more })

interface State<T> {
  key?: string
  /** Below the state: why it is so. */
  note?: (row: NoInfer<T>) => string
}

/** The list translates it: a column may be a constant of a module. */
const stateTitle = '状态'

export const stateColumn = <T extends object>(
  looks: StatusLooks,
  stateOf: (row: NoInfer<T>) => number,
  { key = 'status', note, ...more }: More<T> & State<T> = {},
): ListColumn<T> => ({
  key,
  title: stateTitle,
  sorter: true,
  phone: 'status',
  ...(note && { className: 'two-lines' }),
  render: (_value, row) => {
    const why = note?.(row)
    return (
      <span className="cell-lines line-18 middle rollout-state">
        <StatusTag looks={looks} value={stateOf(row)} />
        {why && (
          <span className="meta cut" title={why}>
            {why}
          </span>
        )}
      </span>
    )
  },
  exportText: (row) => [t(lookOf(looks, stateOf(row)).text), note?.(row)].filter(Boolean).join(' '),
  ...more,
})

export const ProductLink = ({ of: { productID, productName } }: { of: { productID: string; productName: string } }) => (
  <Link className="rollout-product" to={productPath(productID)}>
    {productName || productID}
  </Link>
)

export const productField: FilterField = {
  name: 'productID',
  label: '产品',
  control: 'custom',
  width: 180,
  render: (props) => <ProductPicker {...props} aria-label={t('产品')} />,
}

/** The device of a row, the way to its page, and what people call it. */
export const deviceColumn = <T extends { deviceName: string; deviceAlias: string }>(
  productID: string,
  title = t('设备'),
): ListColumn<T> => ({
  key: 'deviceName',
  title,
  className: 'two-lines',
  sorter: true,
  hideable: false,
  phone: 'title',
  render: (_value, { deviceName, deviceAlias }) => (
    <span className="cell-lines line-18 middle rollout-device">
      <DeviceLink device={{ productID, deviceName }} />
      {deviceAlias && <span className="meta">{deviceAlias}</span>}
    </span>
  ),
  exportText: ({ deviceName }) => deviceName,
})

interface Present {
  /** '': the device was deleted. */
  firstLogin: string
  isOnline: number
}
const goneText = '已删除'

export const PresenceTag = ({ device }: { device: Present }) =>
  device.firstLogin === '' ? <StatusTag text={goneText} tone="default" ring /> : <DeviceStatusTag device={device} />

export const presenceColumn = <T extends Present>(title: string, more: More<T> = {}): ListColumn<T> => ({
  key: 'isOnline',
  title,
  phone: 'meta',
  render: (_value, device) => <PresenceTag device={device} />,
  exportText: (device) => t(device.firstLogin === '' ? goneText : deviceStatusLabels[deviceStatus(device)]),
  ...more,
})

interface ProgressCellProps {
  parts: readonly ProgressPart[]
  total: number
  label: string
  /** The figures below the bar. */
  children: ReactNode
}

export const ProgressCell = ({ parts, total, label, children }: ProgressCellProps) => (
  <span className="cell-lines line-18 middle rollout-progress">
    <StackedProgress parts={parts} total={total} label={label} />
    <span className="small">{children}</span>
  </span>
)
