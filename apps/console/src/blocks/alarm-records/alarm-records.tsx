/** The alarm records of one device or one alarm, live, with the way to the queue where they are handled. */

import {
  type AlarmRecord,
  alarmTopic,
  createDealRecord,
  DealState,
  dealStateLabels,
  listAlarmRecords,
} from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { queryOptions } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '#api/call.ts'
import { useLive, useLivePolling } from '#api/live.ts'
import type { EmptyText, FilterField, ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { alarmLogPath, recordPath } from '#kit/paths.ts'
import { useMay } from '#kit/rights.tsx'
import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'
import { useMemo } from '#language/use-memo.ts'
import { recordColumns } from './record-columns.tsx'
import { isOpenRecord } from './record-words.ts'

type Subject = { productID: string; deviceName: string } | { alarmID: number }

interface Filter {
  dealState?: DealState
  time?: TimeChoice
}

const fields: FilterField[] = [
  {
    name: 'dealState',
    label: '状态',
    control: 'select',
    options: [DealState.alarming, DealState.handled].map((value) => ({ value, label: dealStateLabels[value] })),
  },
  { name: 'time', label: '最近告警', control: 'date-range' },
]

const liveQueries = { info: [[listAlarmRecords.path]] }

const recordsQuery = (subject: Subject, page: ListPaging, { dealState, time }: Filter, pace: number) =>
  queryOptions({
    queryKey: [listAlarmRecords.path, subject, { page, dealState, time }],
    refetchInterval: pace,
    queryFn: ({ signal }) => {
      const range = time && resolveTime(time)
      const body = {
        ...subject,
        page,
        ...(dealState && { dealState }),
        ...(range && { timeRange: { start: Number(range.timeStart), end: Number(range.timeEnd) } }),
      }
      return call(listAlarmRecords, body, { quiet: true, signal })
    },
  })

export function AlarmRecords({ subject, empty }: { subject: Subject; empty: EmptyText }) {
  const navigate = useNavigate()
  const may = useMay()
  useLive(alarmTopic, liveQueries)
  const pace = useLivePolling()
  const without = 'alarmID' in subject ? 'alarm' : 'device'
  const columns = useMemo(() => recordColumns(without), [without])
  return (
    <ListPage<AlarmRecord, Filter>
      embedded
      title={t('告警记录')}
      urlPrefix="r."
      filters={fields}
      columns={columns}
      rowKey={(row) => String(row.id)}
      storageKey={`alarm-records-${without}`}
      query={({ page, filters }) => recordsQuery(subject, page, filters, pace)}
      rowActions={(row) => [
        {
          key: 'open',
          label: isOpenRecord(row) && may(createDealRecord) ? t('处理') : t('查看'),
          onClick: () => void navigate(recordPath(row.id)),
        },
        { key: 'log', label: t('告警日志'), onClick: () => void navigate(alarmLogPath(row)) },
      ]}
      exportName={t('告警记录')}
      empty={empty}
    />
  )
}
