import { type ExportColumn, readJob } from '@ithings/contract/features/jobs.ts'
import { type BacktestReport, backtestLimits } from '@ithings/contract/features/scenes/trial.ts'
import { t } from '@ithings/contract/text.ts'
import { Drawer, Table, Tabs } from 'antd'
import { ChartExport } from '#kit/chart-export.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useEditor } from '../editor-context.ts'
import { seenText } from '../logic/trial.ts'

interface FiringsDrawerProps extends Opened {
  jobID: string
  report: BacktestReport
  deviceText: (deviceName: string) => string
}

interface Row {
  timestamp: number
  deviceName: string
  text: string
}

interface Listed {
  rows: Row[]
  /** Of the last column. */
  title: string
  /** How many there were, also those that are not listed. */
  all: number
  /** Where they are in the job, and what the file says of each. */
  place: string
  columns: () => ExportColumn[]
}

/** The report as the job keeps it. */
export const reportOf = (jobID: string) => ({ path: readJob.path, bodies: [{ jobID }] })

/** All would-be firings, and the near misses with their reason. */
export function FiringsDrawer({ jobID, report, deviceText, open, onClose }: FiringsDrawerProps) {
  const phone = usePhone()
  const { fired, total, missed, missedAt } = report
  const { names, draft } = useEditor()
  const product = draft.triggers[0]?.part.productID ?? ''
  /** One column for each thing that was looked at. */
  const seenColumns = () =>
    [...new Set(fired.flatMap(({ values }) => Object.keys(values)))].map((identifier) => ({
      key: `values.${identifier}`,
      head: names.property(product, identifier.split('.'))?.name ?? identifier,
    }))
  const list = ({ rows, title, all, place, columns }: Listed) => (
    <>
      {all > rows.length && (
        <p className="meta">
          {t('共 {all, number} 次，列出 {count, number} 次（最多 {limit, number} 次）。', {
            all,
            count: rows.length,
            limit: backtestLimits.firings,
          })}
        </p>
      )}
      <div className="end below-8">
        <ChartExport
          title={t('回测结果')}
          columns={() => [
            { key: 'timestamp', head: t('时间'), type: 'time' },
            { key: 'deviceName', head: t('设备名称') },
            ...columns(),
          ]}
          rows={place}
          source={reportOf(jobID)}
        />
      </div>
      <Table<Row>
        aria-label={t('回测的触发')}
        size="small"
        rowKey={(row) => `${row.timestamp} ${row.deviceName} ${row.text}`}
        dataSource={rows}
        pagination={{ pageSize: 20, showSizeChanger: false, hideOnSinglePage: true }}
        columns={[
          {
            title: t('时间'),
            key: 'time',
            width: 168,
            render: (_, row) => <TimeText value={row.timestamp} mode="exact" />,
          },
          { title: t('设备'), key: 'device', render: (_, row) => deviceText(row.deviceName) },
          { title, key: 'text', render: (_, row) => row.text || '—' },
        ]}
      />
    </>
  )
  return (
    <Drawer
      title={t('回测结果')}
      open={open}
      onClose={onClose}
      size={phone ? '100%' : 640}
      closable={{ placement: 'end' }}
    >
      <Tabs
        items={[
          {
            key: 'fired',
            label: t('触发 {total, number}', { total }),
            children: list({
              rows: fired.map((one) => ({ ...one, text: seenText(one) })).toReversed(),
              title: t('看到的值'),
              all: total,
              place: 'result.fired',
              columns: seenColumns,
            }),
          },
          {
            key: 'missed',
            label: t('未触发 {missed, number}', { missed }),
            children: list({
              rows: missedAt.map((one) => ({ ...one, text: one.reason })).toReversed(),
              title: t('原因'),
              all: missed,
              place: 'result.missedAt',
              columns: () => [{ key: 'reason', head: t('原因') }],
            }),
          },
        ]}
      />
    </Drawer>
  )
}
