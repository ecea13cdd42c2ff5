import { EditOutlined } from '@ant-design/icons'
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import type { dryRunScene } from '@ithings/contract/features/scenes/trial.ts'
import { t } from '@ithings/contract/text.ts'
import type { Param } from '@ithings/contract/thing-model/define.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Button, DatePicker, Segmented, Select } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { exampleParams } from '#blocks/model-form/example-value.ts'
import { ParamsForm } from '#blocks/model-form/params-form.tsx'
import { CodeEditor } from '#kit/code-editor.tsx'
import { jsonProblem } from '#kit/json-input.ts'
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

type Begun = Pick<Sample, 'productID' | 'deviceName' | 'kind' | 'eventID'>

const eventParams = (model: ThingModel, eventID: string): readonly Param[] =>
  model.events.find(({ identifier }) => identifier === eventID)?.params ?? []

/** The values that a message of this kind brings and the scene looks at; undefined: it brings none. */
function paramsOf(model: ThingModel, kind: SampleKind, eventID: string, watched: readonly string[]) {
  if (kind === 'event') return eventParams(model, eventID)
  return kind === 'property' ? model.properties.filter(({ identifier }) => watched.includes(identifier)) : undefined
}

/** What the draft lets one choose from, and how a sample is begun: with the latest values of its device. */
function useSample({ sample, onChange }: SampleFormProps) {
  const { draft, models } = useEditor()
  const client = useQueryClient()
  const products = triggerProducts(draft)
  const productID = products.includes(sample.productID) ? sample.productID : (products[0] ?? '')
  const kinds = kindsFor(draft, productID)
  const kind = kinds.includes(sample.kind) ? sample.kind : (kinds[0] ?? 'property')
  const events = watchedEvents(draft, productID)
  const eventID = events.includes(sample.eventID) ? sample.eventID : (events[0] ?? '')
  const model = models.get(productID)

  const begin = async (patch: Partial<Begun>) => {
    const base = { ...sample, productID, kind, eventID, ...patch, timestamp: 0, params: {} }
    const known = base.deviceName === '' ? undefined : models.get(base.productID)
    if (known && base.kind === 'event') {
      return onChange({ ...base, params: exampleParams(eventParams(known, base.eventID), Date.now()) })
    }
    onChange(base)
    if (!known) return
    const { list } = await client.fetchQuery({ ...latestQuery(base.productID, base.deviceName), staleTime: 0 })
    onChange({ ...base, params: latestParams(known, list, watchedProperties(draft, base.productID)) })
  }

  // A chosen device of the trigger is the sample that people mean; the model is needed to read its values.
  const likely = likelyDevice(draft, productID)
  const fresh = sample.deviceName === '' && likely !== '' && model !== undefined
  const other = sample.productID !== productID || sample.kind !== kind || sample.eventID !== eventID
  useEffect(() => {
    if (fresh) void begin({ deviceName: likely })
    else if (other && sample.deviceName !== '') {
      void begin({ deviceName: sample.productID === productID ? sample.deviceName : '' })
    }
  })
  const params = model && paramsOf(model, kind, eventID, watchedProperties(draft, productID))
  return { products, productID, kinds, kind, events, eventID, params, begin }
}

/** A device and what it says: filled in with its latest values, every one of them can be changed. */
export function SampleForm({ sample, onChange }: SampleFormProps) {
  const [open, setOpen] = useState(false)
  const choice = useSample({ sample, onChange })
  const { products, kind, params } = choice
  if (products.length === 0) return <p className="meta">{t('先在触发里选择产品。')}</p>
  return (
    <div className="column gap-8">
      <SampleChoice choice={choice} deviceName={sample.deviceName} />
      {sample.deviceName !== '' && (
        <div className="row between">
          <span className="meta">
            {t(sampleKindLabels[kind])} · {sample.timestamp > 0 ? formatTime(sample.timestamp, logFormat) : t('现在')}
          </span>
          <Button type="link" size="small" icon={<EditOutlined />} aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('收起样例') : t('修改样例')}
          </Button>
        </div>
      )}
      {sample.deviceName !== '' && open && (
        <>
          <DatePicker
            aria-label={t('样例时间')}
            className="wide"
            showTime
            placeholder={t('现在')}
            value={sample.timestamp > 0 ? dayjs(sample.timestamp) : null}
            onChange={(time) => onChange({ ...sample, timestamp: time ? time.valueOf() : 0 })}
          />
          {params && (
            <SampleValues
              params={params}
              values={sample.params}
              onChange={(next) => onChange({ ...sample, params: next })}
            />
          )}
        </>
      )}
    </div>
  )
}

type Choice = ReturnType<typeof useSample>

/** Product, device, kind and event; what leaves no choice is not asked. */
function SampleChoice({ choice, deviceName }: { choice: Choice; deviceName: string }) {
  const { products, productID, kinds, kind, events, eventID, begin } = choice
  const { draft, names } = useEditor()
  return (
    <div className="scene-row row wrap shrink gap-8">
      {products.length > 1 && (
        <Select
          aria-label={t('样例设备的产品')}
          className="sample-product"
          value={productID}
          options={products.map((id) => ({ value: id, label: names.product(id) ?? id }))}
          onChange={(next: string) => {
            const [first = 'property'] = kindsFor(draft, next)
            const [event = ''] = watchedEvents(draft, next)
            void begin({ productID: next, deviceName: '', kind: first, eventID: event })
          }}
        />
      )}
      <span className="shrink" style={{ flex: '1 1 160px' }}>
        <DevicePicker
          aria-label={t('样例设备')}
          productID={productID}
          allowClear={false}
          placeholder={t('选择样例设备')}
          value={deviceName || undefined}
          onChange={(next = '') => void begin({ deviceName: next })}
        />
      </span>
      {kinds.length > 1 && (
        <Select
          aria-label={t('样例消息的类型')}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(sampleKindLabels[value]) }))}
          onChange={(next: SampleKind) => void begin({ kind: next })}
        />
      )}
      {kind === 'event' && events.length > 1 && (
        <Select
          aria-label={t('样例事件')}
          value={eventID}
          options={events.map((value) => ({ value, label: names.event(productID, [value])?.name ?? value }))}
          onChange={(next: string) => void begin({ eventID: next })}
        />
      )}
    </div>
  )
}

interface SampleValuesProps {
  /** Those the scene looks at. */
  params: readonly Param[]
  values: Record<string, unknown>
  onChange: (values: Record<string, unknown>) => void
}

/** The values that matter as a form; anything else as JSON. */
function SampleValues({ params, values, onChange }: SampleValuesProps) {
  const [text, setText] = useState<string>()
  return (
    <div className="column gap-8">
      <Segmented
        style={{ alignSelf: 'start' }}
        aria-label={t('样例的编辑方式')}
        size="small"
        value={text === undefined ? 'form' : 'json'}
        options={[
          { value: 'form', label: t('表单') },
          { value: 'json', label: 'JSON' },
        ]}
        onChange={(next) => setText(next === 'json' ? JSON.stringify(values, null, 2) : undefined)}
      />
      {text === undefined ? (
        params.length > 0 ? (
          <ParamsForm params={params} values={values} onChange={onChange} />
        ) : (
          <p className="meta">{t('场景不看这条消息里的值。')}</p>
        )
      ) : (
        <CodeEditor
          language="json"
          height={160}
          value={text}
          aria-label={t('样例消息')}
          onChange={(next) => {
            setText(next)
            if (!jsonProblem(next)) onChange(JSON.parse(next) as Record<string, unknown>)
          }}
        />
      )}
    </div>
  )
}
