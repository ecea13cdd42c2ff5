import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Segmented, Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import { deviceProductQuery } from '#blocks/device/queries.ts'
import { useUrlState } from '#kit/url-state.ts'
import { ModelGate } from '../model-gate.tsx'
import './data.css'
import { recordedOf } from './history-plan.ts'
import { type HistoryUrl, historyDefaults, historyUrl } from './history-url.ts'
import { HistoryView } from './history-view.tsx'

const CommandTable = lazy(async () => ({ default: (await import('./command-table.tsx')).CommandTable }))
const EventList = lazy(async () => ({ default: (await import('./event-list.tsx')).EventList }))
const LatestTable = lazy(async () => ({ default: (await import('./latest-table.tsx')).LatestTable }))

/** Values are kept for a year unless the product says otherwise (decisions.md 2 "Log retention"). */
const usualDays = 365

function Data({ device, model }: { device: Device; model: ThingModel }) {
  const [url, setUrl] = useUrlState(historyUrl, historyDefaults)
  const { data: product } = useQuery(deviceProductQuery(device.productID))
  const shared = { device, model, valueDays: product?.valueDays ?? usualDays }
  const known = new Set(recordedOf(model).map(({ identifier }) => identifier))
  const open = url.props.some((identifier) => known.has(identifier))
  return (
    <div className="stack gap-12">
      <Segmented<HistoryUrl['view']>
        style={{ justifySelf: 'start' }}
        aria-label={t('数据类型')}
        value={url.view}
        options={[
          { value: 'props', label: t('属性', { context: 'list' }) },
          { value: 'events', label: t('事件', { context: 'list' }) },
          { value: 'commands', label: t('指令', { context: 'list' }) },
        ]}
        onChange={(view) => setUrl({ view })}
      />
      <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
        {url.view === 'events' && <EventList {...shared} />}
        {url.view === 'commands' && <CommandTable {...shared} />}
        {url.view === 'props' && open && <HistoryView {...shared} url={url} onChange={setUrl} />}
        {url.view === 'props' && !open && (
          <LatestTable device={device} model={model} onOpen={(props) => setUrl({ props })} />
        )}
      </Suspense>
    </div>
  )
}

/** screens.md 6.4: what the device said over time. */
export function DataTab({ device }: { device: Device }) {
  return (
    <ModelGate
      productID={device.productID}
      empty={{
        title: t('产品还没有物模型'),
        text: t('在产品里定义属性、事件和行为后，设备上报的数据会出现在这里。'),
        of: ({ properties, events, actions }) => [...properties, ...events, ...actions],
      }}
    >
      {(model) => <Data device={device} model={model} />}
    </ModelGate>
  )
}
