import { dataTypeLabels } from '@ithings/contract/thing-model/define.ts'
import { Table } from 'antd'
import { labelOf } from '#kit/status-tag.tsx'
import { PropertyActions } from './property-actions.tsx'
import { PropertyBody } from './property-body.tsx'
import { PropertyAge, PropertyOutcome } from './property-foot.tsx'
import { hasTrend, isWritable } from './property-rows.ts'
import type { PropertyViewProps } from './property-view.ts'
import { useChanged } from './use-changed.ts'

function ValueCell(props: PropertyViewProps) {
  const { row, state, online, desired } = props
  return (
    <div className="property-cell" data-trend={hasTrend(row) ? row.property.identifier : undefined} ref={props.watch}>
      <div className={row.freshness === 'fresh' ? 'property-body' : 'property-body property-faded'}>
        <PropertyBody
          row={row}
          state={state}
          trend={props.trend}
          editing={props.editing}
          locked={props.locked}
          okText={online ? '设置' : '写入影子'}
          large={false}
          onSend={props.onSend}
          onClose={props.onClose}
        />
      </div>
      {desired && <div className="property-desired">期望 {desired}，待同步</div>}
      <PropertyOutcome state={state} />
    </div>
  )
}

function AgeCell({ row, state, online }: PropertyViewProps) {
  const before = useChanged(row.text, row.timestamp)
  return <PropertyAge row={row} state={state} before={before} online={online} />
}

/** The same properties line by line, for models with many of them. */
export function PropertyTable({ views }: { views: readonly PropertyViewProps[] }) {
  return (
    <Table<PropertyViewProps>
      className="sheet property-table"
      aria-label="设备属性"
      size="small"
      pagination={false}
      dataSource={[...views]}
      rowKey={({ row }) => row.property.identifier}
      scroll={{ x: 'max-content' }}
      columns={[
        {
          key: 'name',
          title: '属性',
          render: (_, { row }) => (
            <>
              <div>{row.property.name}</div>
              <div className="meta">
                <code className="mono-payload">{row.property.identifier}</code>{' '}
                {labelOf(dataTypeLabels, row.property.define.type)}
                {!isWritable(row) && '，只读'}
              </div>
            </>
          ),
        },
        { key: 'value', title: '值', width: 260, render: (_, view) => <ValueCell {...view} /> },
        { key: 'age', title: '更新', render: (_, view) => <AgeCell {...view} /> },
        {
          key: 'actions',
          title: '操作',
          render: (_, view) => (
            <span className="property-actions fixed softer gap-12">
              <PropertyActions {...view} />
            </span>
          ),
        },
      ]}
    />
  )
}
