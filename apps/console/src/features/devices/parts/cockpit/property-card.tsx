import { Tag } from 'antd'
import { PropertyActions } from './property-actions.tsx'
import { PropertyBody } from './property-body.tsx'
import { PropertyAge, PropertyOutcome } from './property-foot.tsx'
import { hasTrend, isWritable } from './property-rows.ts'
import type { PropertyViewProps } from './property-view.ts'
import { useChanged } from './use-changed.ts'

/** look.md 13, 14: one property; a changed value glows once, a stale one fades. */
export function PropertyCard(props: PropertyViewProps) {
  const { device, row, state, trend, watch, editing, locked, online, desired } = props
  const { identifier, name, desc } = row.property
  const before = useChanged(row.text, row.timestamp)
  const looks = ['sheet', 'property-card']
  if (before !== undefined) looks.push('property-changed')
  if (row.freshness !== 'fresh') looks.push('property-faded')
  return (
    <article
      className={looks.join(' ')}
      aria-label={name}
      data-trend={hasTrend(row) ? identifier : undefined}
      ref={watch}
    >
      <div className="property-head">
        <div className="shrink">
          <h2 title={desc || undefined}>{name}</h2>
          <code className="mono-payload">{identifier}</code>
        </div>
        {!isWritable(row) && <Tag variant="outlined">只读</Tag>}
      </div>
      <div className="property-body">
        <PropertyBody
          row={row}
          state={state}
          trend={trend}
          editing={editing}
          locked={locked}
          okText={online ? '设置' : '写入影子'}
          large
          onSend={props.onSend}
          onClose={props.onClose}
        />
      </div>
      <PropertyOutcome state={state} />
      {desired && <div className="property-desired">期望 {desired}，待同步</div>}
      <div className="property-foot">
        <span className="cut shrink">
          <PropertyAge row={row} state={state} before={before} online={online} />
        </span>
        <span className="property-actions fixed softer gap-12">
          <PropertyActions
            device={device}
            row={row}
            state={state}
            online={online}
            locked={locked}
            onEdit={props.onEdit}
            onRead={props.onRead}
            onLeave={props.onLeave}
          />
        </span>
      </div>
    </article>
  )
}
