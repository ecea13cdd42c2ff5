/** Logs that devices write themselves (screens.md 6.7). */
import { LogLevel, logLevelLabels } from '@ithings/contract/features/devices/info.ts'
import { listSdkLog, type SdkLogRow } from '@ithings/contract/features/devices/msg.ts'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import type { EmptyText, FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { lookOf, type StatusLooks, StatusTag } from '#kit/status-tag.tsx'
import { formatTime, logFormat } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { keywordField, timeField } from './hub-log-filters.ts'
import { LiveTail } from './live-tail.tsx'
import { type SdkLogFilters, sdkLogQuery } from './log-query.ts'
import './log-table.css'

type Line = SdkLogRow & { key: string }

const levelLooks: StatusLooks = {
  [LogLevel.error]: { text: logLevelLabels[LogLevel.error], tone: 'error' },
  [LogLevel.warn]: { text: logLevelLabels[LogLevel.warn], tone: 'warning' },
  [LogLevel.info]: { text: logLevelLabels[LogLevel.info], tone: 'processing' },
  [LogLevel.debug]: { text: logLevelLabels[LogLevel.debug], tone: 'default' },
}

/** A device writes lines of a level; 关闭 is none of them. */
const levelOptions = [LogLevel.error, LogLevel.warn, LogLevel.info, LogLevel.debug].map((value) => ({
  value,
  label: logLevelLabels[value],
}))

const fields: FilterField[] = [
  keywordField,
  { name: 'logLevel', label: '日志等级', control: 'select', width: 104, options: levelOptions },
  timeField,
]

const columnsOf = (productID: string, device: boolean): ListColumn<Line>[] => [
  {
    key: 'timestamp',
    title: '时间',
    width: 200,
    hideable: false,
    phone: 'subtitle',
    render: (_v, row) => <TimeText value={row.timestamp} mode="log" />,
    exportText: (row) => formatTime(row.timestamp, logFormat),
  },
  ...(device
    ? [
        {
          key: 'deviceName',
          title: '设备',
          phone: 'meta' as const,
          render: (_v: unknown, { deviceName }: Line) => (
            <Link className="mono" to={deviceDetailPath({ productID, deviceName }, 4)}>
              {deviceName}
            </Link>
          ),
          exportText: ({ deviceName }: Line) => deviceName,
        },
      ]
    : []),
  {
    key: 'loglevel',
    title: '日志等级',
    width: 96,
    phone: 'status',
    render: (_v, row) => <StatusTag filled looks={levelLooks} value={row.loglevel} />,
    exportText: (row) => lookOf(levelLooks, row.loglevel).text,
  },
  {
    key: 'content',
    title: '内容',
    phone: 'title',
    render: (_v, row) => <span className="mono-payload sdk-log-content">{row.content}</span>,
    exportText: (row) => row.content,
  },
]

interface SdkLogListProps {
  productID: string
  /** None: the whole product. */
  deviceNames: readonly string[]
  empty: EmptyText
  toolbarExtra?: ReactNode
}

export function SdkLogList({ productID, deviceNames, empty, toolbarExtra }: SdkLogListProps) {
  const columns = useMemo(() => columnsOf(productID, deviceNames.length !== 1), [productID, deviceNames])
  const scope = { productID, deviceNames }
  return (
    <ListPage<Line, SdkLogFilters>
      embedded
      title="设备本地日志"
      storageKey="sdk-log"
      rowKey="key"
      columns={columns}
      filters={fields}
      query={({ page, filters }) => sdkLogQuery({ productID, deviceNames, filters, page })}
      exportName="设备本地日志"
      empty={empty}
      toolbarExtra={
        <span className="log-tools">
          {toolbarExtra}
          <LiveTail path={listSdkLog.path} scope={scope} />
        </span>
      }
    />
  )
}
