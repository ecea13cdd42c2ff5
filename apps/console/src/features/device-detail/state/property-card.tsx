import { t } from '@ithings/contract/text.ts'
import { dataTypeLabels } from '@ithings/contract/thing-model/define.ts'
import { Table, Tag } from 'antd'
import { labelOf } from '#kit/status-tag.tsx'
import { PropertyBody, type PropertyView } from './property-body.tsx'
import { PropertyActions, PropertyAge, PropertyOutcome, useChanged } from './property-foot.tsx'
import { hasTrend, isWritable } from './property-rows.ts'

const trendOf = ({ row }: PropertyView) => (hasTrend(row) ? row.property.identifier : undefined)
const fadedOf = ({ row }: PropertyView) => (row.freshness === 'fresh' ? '' : 'property-faded')

/** look.md 13, 14: one property; a changed value glows once, a stale one fades. */
export function PropertyCard({ view }: { view: PropertyView }) {
  const { row, watch } = view
  const { identifier, name, desc } = row.property
  const before = useChanged(row.text, row.timestamp)
  const glow = before === undefined ? '' : 'property-changed'
  return (
    <article
      className={`sheet property-card column shrink ${glow} ${fadedOf(view)}`}
      aria-label={name}
      data-trend={trendOf(view)}
      ref={watch}
    >
      <div className="property-head flex top between gap-8">
        <div className="shrink">
          <h2 className="bare anywhere" title={desc || undefined}>
            {name}
          </h2>
          <code className="mono-payload quiet anywhere">{identifier}</code>
        </div>
        {!isWritable(row) && (
          <Tag variant="outlined" className="bare">
            {t('只读')}
          </Tag>
        )}
      </div>
      <div className="property-body row between grow shrink gap-12">
        <PropertyBody view={view} large />
      </div>
      <PropertyOutcome view={view} />
      <div className="high-32 row between touch small quiet line-above gap-8" style={{ padding: '4px 16px' }}>
        <span className="cut shrink">
          <PropertyAge view={view} before={before} />
        </span>
        <PropertyActions view={view} />
      </div>
    </article>
  )
}

const ValueCell = ({ view }: { view: PropertyView }) => (
  <div style={{ maxWidth: 360, whiteSpace: 'normal' }} data-trend={trendOf(view)} ref={view.watch}>
    <div className={`property-body row between shrink gap-12 ${fadedOf(view)}`}>
      <PropertyBody view={view} large={false} />
    </div>
    <PropertyOutcome view={view} />
  </div>
)

const AgeCell = ({ view }: { view: PropertyView }) => (
  <PropertyAge view={view} before={useChanged(view.row.text, view.row.timestamp)} />
)

/** The same properties line by line, for models with many of them. */
export const PropertyTable = ({ views }: { views: readonly PropertyView[] }) => (
  <Table<PropertyView>
    className="sheet property-table"
    aria-label={t('设备属性')}
    size="small"
    pagination={false}
    dataSource={[...views]}
    rowKey={({ row }) => row.property.identifier}
    scroll={{ x: 'max-content' }}
    columns={[
      {
        key: 'name',
        title: t('属性'),
        render: (_, { row }) => (
          <>
            <div>{row.property.name}</div>
            <div className="meta">
              <code className="mono-payload">{row.property.identifier}</code>{' '}
              {labelOf(dataTypeLabels, row.property.define.type)}
              {!isWritable(row) && t('，只读')}
            </div>
          </>
        ),
      },
      { key: 'value', title: t('值'), width: 260, render: (_, view) => <ValueCell view={view} /> },
      { key: 'age', title: t('更新'), render: (_, view) => <AgeCell view={view} /> },
      { key: 'actions', title: t('操作'), render: (_, view) => <PropertyActions view={view} /> },
    ]}
  />
)
