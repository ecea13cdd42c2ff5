import type { Device } from '@ithings/contract/features/devices/info.ts'
import { type EventLogRow, listEventLog } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { EventType, eventTypeLabels, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { timeColumn } from '#blocks/log-table/shared-columns.tsx'
import { describeValue, withUnit } from '#blocks/typed-value/value-text.ts'
import { objectOf } from '#kit/json-object.ts'
import { JsonView } from '#kit/json-view.tsx'
import type { FilterField, ListColumn, ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useMemo } from '#language/use-memo.ts'
import { EventParams, eventLooks, eventName } from './event-words.tsx'
import { rangeOfText, timeField } from './time-field.tsx'

interface EventFilters {
  type?: EventType
  dataID?: string
  time?: string
}

const typeOptions = Object.values(EventType).map((value) => ({ value, label: eventTypeLabels[value] }))

const filtersOf = (model: ThingModel, days: number): FilterField[] => [
  {
    name: 'type',
    label: t('事件类型'),
    control: 'select',
    options: typeOptions,
    placeholder: t('全部事件类型'),
    width: 140,
  },
  {
    name: 'dataID',
    label: t('事件'),
    control: 'select',
    options: model.events.map(({ identifier, name }) => ({ value: identifier, label: name })),
    width: 180,
  },
  timeField(days),
]

function paramsText(event: EventLogRow, model: ThingModel): string {
  const params = model.events.find(({ identifier }) => identifier === event.dataID)?.params ?? []
  return Object.entries(objectOf(event.params))
    .map(([key, value]) => {
      const param = params.find(({ identifier }) => identifier === key)
      return param
        ? `${param.name} ${withUnit(param.define, describeValue(param.define, value))}`
        : `${key} ${JSON.stringify(value)}`
    })
    .join(t('；'))
}

const columnsOf = (model: ThingModel): ListColumn<EventLogRow>[] => [
  { ...timeColumn<EventLogRow>(), hideable: true },
  { key: 'type', title: t('类型'), phone: 'status', looks: eventLooks },
  {
    key: 'dataID',
    title: t('事件'),
    render: (_, row) => (
      <>
        {eventName(row.dataID, model)} <code className="mono-payload meta">{row.dataID}</code>
      </>
    ),
    exportText: (row) => eventName(row.dataID, model),
    phone: 'title',
    hideable: false,
  },
  {
    key: 'params',
    title: t('参数'),
    render: (_, row) => <EventParams event={row} model={model} />,
    exportText: (row) => paramsText(row, model),
    phone: 'meta',
  },
]

function eventRowsQuery(device: Device, page: ListPaging, { type, dataID, time }: EventFilters) {
  const { productID, deviceName } = device
  return queryOptions({
    queryKey: [listEventLog.path, { productID, deviceNames: [deviceName], type, dataID, time, page }],
    queryFn: ({ signal }) =>
      call(
        listEventLog,
        {
          productID,
          deviceNames: [deviceName],
          page,
          ...(type && { types: [type] }),
          ...(dataID && { dataID }),
          ...rangeOfText(time),
        },
        { signal },
      ),
  })
}

/** screens.md 6.4 事件: what happened at the device, with its parameters by the model. */
export function EventList({ device, model, valueDays }: { device: Device; model: ThingModel; valueDays: number }) {
  const filters = useMemo(() => filtersOf(model, valueDays), [model, valueDays])
  const columns = useMemo(() => columnsOf(model), [model])
  return (
    <ListPage<EventLogRow, EventFilters>
      embedded
      title={t('事件')}
      urlPrefix="e"
      storageKey="device-events"
      filters={filters}
      columns={columns}
      rowKey={(row) => `${row.timestamp} ${row.dataID} ${row.params}`}
      query={({ page, filters: wanted }) => eventRowsQuery(device, page, wanted)}
      exportName={t('{deviceName}-事件', { deviceName: device.deviceName })}
      expandable={{ expandedRowRender: (row) => <JsonView value={row.params} maxHeight={240} /> }}
      empty={{ title: t('这段时间没有事件'), text: t('设备上报的告警、故障和信息事件会出现在这里。') }}
    />
  )
}
