/** screens.md 4.3, 6.12: every topic with its method, ready to copy, and a message made from the thing model. */

import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Button, Drawer, Table, type TableProps } from 'antd'
import { type ReactNode, useState } from 'react'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { payloadOf, type TopicProduct, type TopicRow, topicRows } from './topic-rows.ts'
import { messagesOf } from './topic-samples.ts'
import './topic-table.css'

const emptyModel: ThingModel = { properties: [], events: [], actions: [] }

/** The first row of a feature spans all of them. */
const spanOf = (rows: readonly TopicRow[], at: number): number => {
  const feature = rows[at]?.feature
  if (rows[at - 1]?.feature === feature) return 0
  const end = rows.findIndex((row, i) => i > at && row.feature !== feature)
  return (end < 0 ? rows.length : end) - at
}

/** Wraps between its levels, where there is no room for the whole. */
const wrapping = (topic: string) =>
  topic.split(/(?<=\/)/).map((level, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: levels stay where they are.
    <span key={at} className="inline-block">
      {level}
    </span>
  ))

const rowKey = (row: TopicRow) => row.feature + row.key

const WayTag = ({ way }: { way: TopicRow['way'] }) =>
  way === 'up' ? (
    <StatusTag filled text={t('发布')} tone="processing" />
  ) : (
    <StatusTag filled text={t('订阅')} tone="success" />
  )

/** What a page that knows the device adds. */
export interface TopicExtras {
  /** When the topic was used last; all rows, because one question tells it of them all. */
  last: (row: TopicRow, all: readonly TopicRow[]) => ReactNode
  actions: (row: TopicRow) => ReactNode
}

const columnsOf = (
  rows: readonly TopicRow[],
  show: (row: TopicRow) => void,
  extras: TopicExtras | undefined,
): NonNullable<TableProps<TopicRow>['columns']> => [
  {
    key: 'feature',
    title: t('功能'),
    render: (_v, row) => t(row.feature),
    onCell: (_row, at) => ({ rowSpan: spanOf(rows, at ?? 0) }),
  },
  { key: 'topic', title: 'Topic', render: (_v, row) => <Copyable text={row.topic}>{wrapping(row.topic)}</Copyable> },
  { key: 'way', title: t('设备权限'), render: (_v, row) => <WayTag way={row.way} /> },
  {
    key: 'method',
    title: t('method'),
    render: (_v, row) =>
      row.method ? <span className="mono">{row.method}</span> : <span className="no-value">—</span>,
  },
  ...(extras
    ? [{ key: 'last', title: t('Topic 最近消息'), render: (_v: unknown, row: TopicRow) => extras.last(row, rows) }]
    : []),
  { key: 'text', className: 'topic-words', title: t('说明'), render: (_v, row) => t(row.text) },
  {
    key: 'sample',
    title: t('操作'),
    fixed: 'end',
    render: (_v, row) => (
      <>
        <Button type="text" size="small" onClick={() => show(row)}>
          {t('报文示例')}
        </Button>
        {extras?.actions(row)}
      </>
    ),
  },
]

interface TopicTableProps {
  product: TopicProduct
  model?: ThingModel | undefined
  /** Its name stands in the topics; without it {DeviceName} does. */
  deviceName?: string
  extras?: TopicExtras
}

export function TopicTable({ product, model = emptyModel, deviceName, extras }: TopicTableProps) {
  const phone = usePhone()
  const [sample, setSample] = useState<TopicRow>()
  const [open, setOpen] = useState(false)
  const [now] = useState(Date.now)
  const messages = useMemo(() => messagesOf(model, product.productID, now), [model, product.productID, now])
  const rows = useMemo(() => topicRows(product, messages, deviceName), [product, messages, deviceName])
  const show = (row: TopicRow) => {
    setSample(row)
    setOpen(true)
  }
  return (
    <section className="sheet topic-table" aria-label={deviceName === undefined ? t('Topic 类列表') : t('Topic 列表')}>
      <p className="meta pad-12-16 bare">
        {deviceName === undefined && t('{DeviceName} 换成设备名称。')}
        {t('设备只能发布 up、订阅 down，且只能使用自己的 Topic；网关还可代理已绑定子设备的 $thing Topic。')}
      </p>
      {phone ? (
        <ul className="bare-list">
          {rows.map((row) => (
            <li key={rowKey(row)} className="line-above">
              <button type="button" className="plain-button high-44 pad-12-16 wide start" onClick={() => show(row)}>
                <span className="row between gap-12">
                  <b>{t(row.text)}</b>
                  <WayTag way={row.way} />
                </span>
                <span className="mono-payload softer anywhere">{wrapping(row.topic)}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <Table<TopicRow>
          aria-label="Topic"
          size="medium"
          rowKey={rowKey}
          columns={columnsOf(rows, show, extras)}
          dataSource={rows}
          pagination={false}
          scroll={{ x: true }}
          sticky
        />
      )}
      <Drawer
        title={sample ? `${t(sample.feature)} · ${t(sample.text)}` : ''}
        open={open}
        onClose={() => setOpen(false)}
        size={phone ? '100%' : 560}
        closable={{ placement: 'end' }}
      >
        {sample && (
          <div className="column gap-8">
            <span className="meta">{sample.way === 'up' ? t('设备发布到') : t('设备订阅')}</span>
            <Copyable text={sample.topic} />
            <JsonView value={payloadOf(sample.key, messages, product.dialect, now)} openLevels={4} maxHeight={560} />
            <span className="meta">{t('取值由物模型生成；物模型为空时 params 为空。')}</span>
            {phone && extras && (
              <div className="row wrap gap-8">
                <span className="meta">
                  <RichText text={t('最近消息 <0/>')} parts={[<span key="last">{extras.last(sample, rows)}</span>]} />
                </span>
                {extras.actions(sample)}
              </div>
            )}
          </div>
        )}
      </Drawer>
    </section>
  )
}
