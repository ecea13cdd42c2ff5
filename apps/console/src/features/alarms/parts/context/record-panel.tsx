/** One record with everything around it, beside the queue (screens.md 25). */

import { CloseOutlined } from '@ant-design/icons'
import { type AlarmRecord, createDealRecord } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useEffect } from 'react'
import { hasDevice, isOpenRecord } from '#blocks/alarm-records/record-words.ts'
import { isLayerOpen } from '#kit/open-layer.ts'
import { May } from '#kit/rights.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { parseCause } from '../../cause.ts'
import type { Neighbours } from '../../neighbours.ts'
import { newestLogQuery, recordQuery } from '../../queries.ts'
import './context.css'
import { HandleForm } from './handle-form.tsx'
import { PanelHead } from './panel-head.tsx'
import { DealList, DeviceHistory, MomentList } from './panel-lists.tsx'
import { PropertyChart } from './property-chart.tsx'

interface RecordPanelProps {
  id: number
  /** The row of the queue, shown until the record itself is read. */
  row: AlarmRecord | undefined
  neighbours: Neighbours<AlarmRecord>
  onShow: (id: number) => void
  onClose: () => void
}

/** A note that was begun is not thrown away by a key. */
const isNote = (target: EventTarget | null) => target instanceof HTMLTextAreaElement && target.value.trim() !== ''

/** Escape closes it, unless a dialog or a list above it takes the key. */
function useEscape(onClose: () => void) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const mine = event.key === 'Escape' && !event.defaultPrevented && !isLayerOpen()
      if (mine && !isNote(event.target)) onClose()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [onClose])
}

export function RecordPanel({ id, row, neighbours, onShow, onClose }: RecordPanelProps) {
  useEscape(onClose)
  const record = useQuery({ ...recordQuery(id), placeholderData: row })
  const { data } = record
  return (
    <aside className="record-panel container-fill column" aria-label={t('告警详情')}>
      {!data && (
        <div className="end" style={{ padding: '12px 12px 0' }}>
          <Button type="text" icon={<CloseOutlined />} aria-label={t('关闭')} onClick={onClose} />
        </div>
      )}
      {data ? (
        <>
          <PanelHead record={data} neighbours={neighbours} onShow={onShow} onClose={onClose} />
          <PanelBody key={data.id} record={data} onShow={onShow} />
          {isOpenRecord(data) && (
            <May needs={createDealRecord}>
              <HandleForm key={`form ${data.id}`} record={data} />
            </May>
          )}
        </>
      ) : record.error ? (
        <QueryError subject={t('告警详情')} query={record} />
      ) : data === null ? (
        <StateBlock
          variant="no-match"
          title={t('这条告警记录不存在')}
          text={t('它的告警配置可能已经被删除。')}
          action={<Button onClick={onClose}>{t('关闭')}</Button>}
        />
      ) : (
        <Skeleton style={{ padding: 20 }} active paragraph={{ rows: 12 }} />
      )}
    </aside>
  )
}

function PanelBody({ record, onShow }: { record: AlarmRecord; onShow: (id: number) => void }) {
  const log = useQuery(newestLogQuery(record.id))
  const cause = parseCause(log.data?.serial)
  return (
    <div className="panel-body scroll-y min-0 grow">
      {hasDevice(record) && (
        <section className="panel-section panel-chart">
          {log.isPending ? (
            <Skeleton active paragraph={{ rows: 5 }} title={false} />
          ) : (
            <PropertyChart record={record} cause={cause} />
          )}
        </section>
      )}
      <section className="panel-section">
        {log.isError ? (
          <QueryError compact subject={t('告警日志')} query={log} />
        ) : log.data ? (
          <MomentList log={log.data} cause={cause} />
        ) : (
          <p className="meta">{log.isPending ? t('加载中…') : t('没有告警日志。')}</p>
        )}
      </section>
      {hasDevice(record) && <DeviceHistory record={record} onShow={onShow} />}
      <DealList recordID={record.id} />
    </div>
  )
}
