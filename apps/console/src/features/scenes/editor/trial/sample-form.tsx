import { EditOutlined } from '@ant-design/icons'
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import type { dryRunScene } from '@ithings/contract/features/scenes/trial.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Button, DatePicker, Select } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { exampleParams } from '#blocks/model-form/example-value.ts'
import { formatTime, logFormat } from '#kit/time.ts'
import { triggerProducts, useEditor } from '../editor-context.ts'
import { latestQuery } from '../editor-queries.ts'
import {
  kindsFor,
  latestParams,
  likelyDevice,
  type SampleKind,
  sampleKindLabels,
  watchedEvents,
  watchedProperties,
} from '../logic/sample.ts'
import { SampleValues } from './sample-values.tsx'

export interface Sample {
  productID: string
  deviceName: string
  kind: SampleKind
  eventID: string
  params: Record<string, unknown>
  /** Milliseconds; 0: the moment of the run. */
  timestamp: number
}

export const emptySample: Sample = {
  productID: '',
  deviceName: '',
  kind: 'property',
  eventID: '',
  params: {},
  timestamp: 0,
}

type Message = NonNullable<BodyInput<typeof dryRunScene>['message']>

export function messageOf({ productID, deviceName, kind, eventID, params, timestamp }: Sample): Message {
  const base = { productID, deviceName, ...(timestamp > 0 && { timestamp }) }
  switch (kind) {
    case 'connected':
    case 'disConnected':
      return { ...base, online: kind === 'connected' }
    case 'event':
      return { ...base, eventID, params }
    case 'property':
      return { ...base, params }
    case 'noReport':
      return base
  }
}

interface SampleFormProps {
  sample: Sample
  onChange: (sample: Sample) => void
}

/** A device and what it says: filled in with its latest values, every one of them can be changed. */
export function SampleForm({ sample, onChange }: SampleFormProps) {
  const { draft, models, names } = useEditor()
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const products = triggerProducts(draft)
  const productID = products.includes(sample.productID) ? sample.productID : (products[0] ?? '')
  const kinds = kindsFor(draft, productID)
  const kind = kinds.includes(sample.kind) ? sample.kind : (kinds[0] ?? 'property')
  const events = watchedEvents(draft, productID)
  const eventID = events.includes(sample.eventID) ? sample.eventID : (events[0] ?? '')
  const model = models.get(productID)
  const watched = watchedProperties(draft, productID)

  const prefill = async (key: { productID: string; deviceName: string }, next: SampleKind, event: string) => {
    const known = models.get(key.productID)
    const base = { ...sample, ...key, kind: next, eventID: event, timestamp: 0 }
    if (!known || key.deviceName === '') return onChange({ ...base, params: {} })
    if (next === 'event') {
      const params = known.events.find(({ identifier }) => identifier === event)?.params ?? []
      return onChange({ ...base, params: exampleParams(params, Date.now()) })
    }
    onChange({ ...base, params: {} })
    const { list } = await client.fetchQuery({ ...latestQuery(key.productID, key.deviceName), staleTime: 0 })
    onChange({ ...base, params: latestParams(known, list, watchedProperties(draft, key.productID)) })
  }

  // A chosen device of the trigger is the sample that people mean; the model is needed to read its values.
  const likely = likelyDevice(draft, productID)
  const fresh = sample.deviceName === '' && likely !== '' && model !== undefined
  const other = sample.productID !== productID || sample.kind !== kind || sample.eventID !== eventID
  useEffect(() => {
    if (fresh) void prefill({ productID, deviceName: likely }, kind, eventID)
    else if (other && sample.deviceName !== '') {
      void prefill({ productID, deviceName: sample.productID === productID ? sample.deviceName : '' }, kind, eventID)
    }
  })

  if (products.length === 0) return <p className="meta">先在触发里选择产品。</p>
  return (
    <div className="sample">
      <div className="scene-row">
        {products.length > 1 && (
          <Select
            aria-label="样例设备的产品"
            className="sample-product"
            value={productID}
            options={products.map((id) => ({ value: id, label: names.product(id) ?? id }))}
            onChange={(next: string) => {
              const [first = 'property'] = kindsFor(draft, next)
              void prefill({ productID: next, deviceName: '' }, first, watchedEvents(draft, next)[0] ?? '')
            }}
          />
        )}
        <span className="sample-device">
          <DevicePicker
            aria-label="样例设备"
            productID={productID}
            allowClear={false}
            placeholder="选择样例设备"
            value={sample.deviceName || undefined}
            onChange={(deviceName) => void prefill({ productID, deviceName: deviceName ?? '' }, kind, eventID)}
          />
        </span>
        {kinds.length > 1 && (
          <Select
            aria-label="样例消息的类型"
            value={kind}
            options={kinds.map((value) => ({ value, label: sampleKindLabels[value] }))}
            onChange={(next: SampleKind) => void prefill({ productID, deviceName: sample.deviceName }, next, eventID)}
          />
        )}
        {kind === 'event' && events.length > 1 && (
          <Select
            aria-label="样例事件"
            value={eventID}
            options={events.map((value) => ({ value, label: names.event(productID, [value])?.name ?? value }))}
            onChange={(next: string) => void prefill({ productID, deviceName: sample.deviceName }, kind, next)}
          />
        )}
      </div>
      {sample.deviceName !== '' && (
        <div className="row between">
          <span className="meta">
            {sampleKindLabels[kind]} · {sample.timestamp > 0 ? formatTime(sample.timestamp, logFormat) : '现在'}
          </span>
          <Button type="link" size="small" icon={<EditOutlined />} aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? '收起样例' : '修改样例'}
          </Button>
        </div>
      )}
      {sample.deviceName !== '' && open && (
        <>
          <DatePicker
            aria-label="样例时间"
            className="scene-wide"
            showTime
            placeholder="现在"
            value={sample.timestamp > 0 ? dayjs(sample.timestamp) : null}
            onChange={(time) => onChange({ ...sample, timestamp: time ? time.valueOf() : 0 })}
          />
          {model && (kind === 'property' || kind === 'event') && (
            <SampleValues
              params={
                kind === 'event'
                  ? (model.events.find(({ identifier }) => identifier === eventID)?.params ?? [])
                  : model.properties.filter(({ identifier }) => watched.includes(identifier))
              }
              values={sample.params}
              onChange={(params) => onChange({ ...sample, params })}
            />
          )}
        </>
      )}
    </div>
  )
}
