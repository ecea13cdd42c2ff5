/** Logs that devices write themselves (screens.md 6.7). */

import { LogLevel } from '@ithings/contract/features/devices/info.ts'
import { listSdkLog, type SdkLogRow } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { logLevelText } from '#blocks/device/labels.ts'
import { DeviceTab } from '#blocks/device/tabs.ts'
import type { EmptyText, FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { StatusTag, type StatusTone } from '#kit/status-tag.tsx'
import { useMemo } from '#language/use-memo.ts'
import { keywordField, timeField } from './hub-log-filters.ts'
import { LiveTail } from './live-tail.tsx'
import { type SdkLogFilters, sdkLogQuery } from './log-query.ts'
import './log-table.css'
import { deviceColumn, timeColumn } from './shared-columns.tsx'

type Line = SdkLogRow & { key: string }

/** A device writes lines of a level; 关闭 is none of them. */
const levels = [LogLevel.error, LogLevel.warn, LogLevel.info, LogLevel.debug]
const tones: Record<number, StatusTone> = {
  [LogLevel.error]: 'error',
  [LogLevel.warn]: 'warning',
  [LogLevel.info]: 'processing',
}

const fieldsOf = (): FilterField[] => [
  keywordField,
  {
    name: 'logLevel',
    label: t('日志等级'),
    control: 'select',
    width: 104,
    options: levels.map((value) => ({ value, label: logLevelText(value) })),
  },
  timeField,
]

const columnsOf = (productID: string, device: boolean): ListColumn<Line>[] => [
  { ...timeColumn<Line>(), width: 200 },
  ...(device ? [deviceColumn<Line>('meta', DeviceTab.localLog, productID)] : []),
  {
    key: 'loglevel',
    title: t('日志等级'),
    width: 96,
    phone: 'status',
    render: (_v, row) => <StatusTag filled text={logLevelText(row.loglevel)} tone={tones[row.loglevel] ?? 'default'} />,
    exportText: (row) => logLevelText(row.loglevel),
  },
  {
    key: 'content',
    title: t('内容'),
    phone: 'title',
    render: (_v, row) => (
      <span className="mono-payload block anywhere" style={{ minWidth: 240, whiteSpace: 'pre-wrap' }}>
        {row.content}
      </span>
    ),
    exportText: (row) => row.content,
  },
]

interface SdkLogListProps {
  productID: string
  /** None: the whole product. */
  deviceNames: readonly string[]
  empty: EmptyText
}

export function SdkLogList({ productID, deviceNames, empty }: SdkLogListProps) {
  const columns = useMemo(() => columnsOf(productID, deviceNames.length !== 1), [productID, deviceNames])
  const fields = useMemo(fieldsOf, [])
  const scope = { productID, deviceNames }
  return (
    <ListPage<Line, SdkLogFilters>
      embedded
      title={t('设备本地日志')}
      storageKey="sdk-log"
      rowKey="key"
      columns={columns}
      filters={fields}
      query={({ page, filters }) => sdkLogQuery({ productID, deviceNames, filters, page })}
      exportName={t('设备本地日志')}
      empty={empty}
      toolbarExtra={<LiveTail path={listSdkLog.path} scope={scope} />}
    />
  )
}
