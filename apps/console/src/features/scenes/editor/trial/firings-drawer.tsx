import type { BacktestReport } from '@ithings/contract/features/scenes/trial.ts'
import { Drawer, Table, Tabs } from 'antd'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { seenText } from '../logic/backtest-range.ts'

interface FiringsDrawerProps {
  report: BacktestReport
  /** So many are listed at most. */
  limit: number
  deviceText: (deviceName: string) => string
  open: boolean
  onClose: () => void
}

interface Row {
  timestamp: number
  deviceName: string
  text: string
}

/** All would-be firings, and the near misses with their reason. */
export function FiringsDrawer({ report, limit, deviceText, open, onClose }: FiringsDrawerProps) {
  const phone = usePhone()
  const { fired, total, missed, missedAt } = report
  const list = (rows: Row[], title: string, all: number) => (
    <>
      {all > rows.length && (
        <p className="meta">
          共 {all.toLocaleString()} 次，列出 {rows.length.toLocaleString()} 次（最多 {limit.toLocaleString()} 次）。
        </p>
      )}
      <Table<Row>
        aria-label="回测的触发"
        size="small"
        rowKey={(row) => `${row.timestamp} ${row.deviceName} ${row.text}`}
        dataSource={rows}
        pagination={{ pageSize: 20, showSizeChanger: false, hideOnSinglePage: true }}
        columns={[
          {
            title: '时间',
            key: 'time',
            width: 168,
            render: (_, row) => <TimeText value={row.timestamp} mode="exact" />,
          },
          { title: '设备', key: 'device', render: (_, row) => deviceText(row.deviceName) },
          { title, key: 'text', render: (_, row) => row.text || '—' },
        ]}
      />
    </>
  )
  return (
    <Drawer title="回测结果" open={open} onClose={onClose} size={phone ? '100%' : 640} closable={{ placement: 'end' }}>
      <Tabs
        items={[
          {
            key: 'fired',
            label: `触发 ${total.toLocaleString()}`,
            children: list(fired.map((one) => ({ ...one, text: seenText(one) })).toReversed(), '看到的值', total),
          },
          {
            key: 'missed',
            label: `未触发 ${missed.toLocaleString()}`,
            children: list(missedAt.map((one) => ({ ...one, text: one.reason })).toReversed(), '原因', missed),
          },
        ]}
      />
    </Drawer>
  )
}
