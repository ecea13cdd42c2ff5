import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import * as z from 'zod'
import { ExportButton } from '#kit/export-button.tsx'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { useListExport } from '#kit/list-page/use-list-export.ts'
import { useSelection } from '#kit/list-page/use-selection.ts'
import '#kit/list-page/list-parts.css'
import '#kit/list-page/list-page-phone.css'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import { neighboursOf } from '../neighbours.ts'
import { LevelCounters } from '../parts/queue/level-counters.tsx'
import { exportColumns } from '../parts/queue/queue-columns.tsx'
import { QueueList } from '../parts/queue/queue-list.tsx'
import { QueueToolbar } from '../parts/queue/queue-toolbar.tsx'
import '../parts/queue/queue.css'
import { SelectionBar } from '../parts/queue/selection-bar.tsx'
import { useQueue } from '../parts/queue/use-queue.ts'
import { SoundSwitch } from '../parts/sound-switch.tsx'

// Fetched when the first record is chosen.
const RecordPanel = lazy(async () => ({ default: (await import('../parts/context/record-panel.tsx')).RecordPanel }))

const urlSchema = z.object({ record: z.coerce.number().int().positive().optional() })
const urlDefaults = {}
const keyOf = (row: AlarmRecord) => String(row.id)

/** The record that is open, with what stands before and after it in the queue. */
function useOpenRecord(rows: readonly AlarmRecord[]) {
  const [{ record }, setUrl] = useUrlState(urlSchema, urlDefaults)
  const at = rows.findIndex(({ id }) => id === record)
  const lastAt = useRef<number>(undefined)
  useEffect(() => {
    if (at >= 0) lastAt.current = at
  }, [at])
  const show = useCallback((id: number | undefined) => setUrl({ record: id }, { replace: true }), [setUrl])
  const close = useCallback(() => show(undefined), [show])
  return {
    id: record,
    row: rows[at],
    neighbours: neighboursOf(rows, record ?? 0, lastAt.current),
    show,
    close,
  }
}

/** screens.md 25: the live work queue. */
export function AlarmRecordList() {
  const phone = usePhone()
  const queue = useQueue()
  const { state, set, rows, count, query, orders } = queue
  const { chosen, pick, clear } = useSelection(keyOf)
  const { id, row, neighbours, show, close } = useOpenRecord(rows)
  const open = useCallback((record: AlarmRecord) => show(record.id), [show])
  const { exportList } = useListExport({ title: t('告警记录'), columns: exportColumns, query, orders, rows })
  const filter = (filters: typeof state.filters) => {
    clear()
    set({ filters, page: 1 })
  }
  const { levels, ...rest } = state.filters
  return (
    <div className={id === undefined ? 'queue relative' : 'queue relative queue-split'}>
      <div className={phone ? 'queue-list list-page list-page-phone queue-phone' : 'queue-list list-page'}>
        <PageHeading
          title={t('告警记录')}
          extra={
            <>
              <SoundSwitch />
              <ExportButton onPick={exportList}>{t('导出')}</ExportButton>
            </>
          }
        />
        <LevelCounters
          count={count}
          value={levels}
          onChange={(value) => filter(value ? { ...rest, levels: value } : rest)}
        />
        <div className={phone ? 'list-plain' : 'list-card'}>
          <QueueToolbar values={state.filters} count={count} onChange={filter} />
          {chosen.size > 0 && <SelectionBar records={[...chosen.values()]} onClear={clear} />}
          <QueueList queue={queue} current={id} selected={chosen} onSelect={pick} onOpen={open} />
        </div>
      </div>
      <Suspense>
        {id !== undefined && <RecordPanel id={id} row={row} neighbours={neighbours} onShow={show} onClose={close} />}
      </Suspense>
    </div>
  )
}
