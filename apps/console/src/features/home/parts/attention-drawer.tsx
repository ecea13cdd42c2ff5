import {
  type AttentionKind,
  type AttentionRow,
  attentionKinds,
  type HomeAttention,
} from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Drawer, Segmented, Table, type TableProps } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useLivePolling } from '#api/live.ts'
import { numberText } from '#kit/number-text.ts'
import { QueryError } from '#kit/states/loaded.tsx'
import { formatTime } from '#kit/time.ts'
import { usePhone } from '#kit/use-phone.ts'
import { attentionWords, listedOf, whyText } from '../attention-words.ts'
import { attentionPath } from '../paths.ts'
import { attentionPageQuery, attentionPageSize } from '../queries.ts'
import { useNow } from '../use-now.ts'
import { Dark } from './dark.tsx'

const minute = 60_000
const whyTitles: Record<AttentionKind, string> = {
  offline: '离线时长',
  upgrade: '失败原因',
  silent: '无数据时长',
  config: '原因',
}

const columnsOf = (kind: AttentionKind, now: number, phone: boolean): TableProps<AttentionRow>['columns'] => [
  {
    key: 'device',
    title: t('设备'),
    render: (_value, row) => (
      <Link to={attentionPath(row)}>
        {row.deviceAlias || row.deviceName}
        <span className="block small quiet anywhere">
          {row.productID} / {row.deviceName}
        </span>
      </Link>
    ),
  },
  { key: 'why', title: t(whyTitles[kind]), render: (_value, row) => whyText(row, now) },
  ...(phone
    ? []
    : [
        {
          key: 'since',
          title: t('时间'),
          width: 170,
          render: (_: unknown, row: AttentionRow) => formatTime(row.since),
        },
      ]),
]

/** Page by page, newest first; each leads to where something can be done about it. */
function AttentionList({ kind, count }: { kind: AttentionKind; count: number }) {
  const [page, setPage] = useState(1)
  const phone = usePhone()
  const now = useNow(minute)
  const query = useQuery({ ...attentionPageQuery(kind, page), refetchInterval: useLivePolling() })
  const total = listedOf(kind, count)
  if (query.isError && !query.data) return <QueryError subject={t(attentionWords[kind])} query={query} />
  return (
    <>
      {total < count && (
        <p className="quiet">{t('共 {count, number} 台，这里列出最近的 {total, number} 台。', { count, total })}</p>
      )}
      <Table<AttentionRow>
        size="small"
        columns={columnsOf(kind, now, phone)}
        dataSource={query.data?.list ?? []}
        rowKey={(row) => `${row.productID} ${row.deviceName}`}
        loading={query.isPending}
        locale={{ emptyText: t('没有需要关注的设备') }}
        pagination={{
          current: page,
          pageSize: attentionPageSize,
          total,
          onChange: setPage,
          showSizeChanger: false,
          hideOnSinglePage: true,
          simple: phone,
        }}
      />
    </>
  )
}

interface AttentionDrawerProps {
  /** undefined: closed. */
  kind: AttentionKind | undefined
  counts: HomeAttention['counts'] | undefined
  onChoose: (kind: AttentionKind | undefined) => void
}

/** The list behind each figure of 需要关注, above the screen, which goes on behind it. */
export function AttentionDrawer({ kind, counts, onChoose }: AttentionDrawerProps) {
  const phone = usePhone()
  // While it slides away it shows what it showed.
  const [last, setLast] = useState(kind)
  if (kind && kind !== last) setLast(kind)
  const shown = kind ?? last
  const kinds = attentionKinds.filter((one) => one === shown || (counts?.[one] ?? 0) > 0)
  return (
    <Dark>
      <Drawer
        title={t('需要关注的设备')}
        open={kind !== undefined}
        onClose={() => onChoose(undefined)}
        size={phone ? '100%' : 640}
        closable={{ placement: 'end' }}
        destroyOnHidden
      >
        {shown && (
          <div data-theme="dark">
            <Segmented<AttentionKind>
              block
              className="below-16"
              vertical={phone}
              aria-label={t('按原因筛选')}
              value={shown}
              options={kinds.map((one) => ({
                value: one,
                label: `${t(attentionWords[one])} ${numberText(counts?.[one] ?? 0)}`,
              }))}
              onChange={onChoose}
            />
            <AttentionList key={shown} kind={shown} count={counts?.[shown] ?? 0} />
          </div>
        )}
      </Drawer>
    </Dark>
  )
}
