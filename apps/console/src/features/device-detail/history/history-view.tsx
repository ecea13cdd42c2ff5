import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import type { Property, ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Alert, Button, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { TimeWindow } from '#blocks/history-chart/history-chart.tsx'
import { autoInterval, intervalLabel, maxRows, rawInterval } from '#blocks/history-chart/interval.ts'
import { AutoRefresh } from '#kit/auto-refresh.tsx'
import { Loaded, Stale } from '#kit/states/loaded.tsx'
import { isPreset, parseTimeChoice, TimePreset } from '#kit/time-choice.ts'
import { useMemo } from '#language/use-memo.ts'
import { HistoryBody } from './history-body.tsx'
import { type HistoryChoice, isDrawable, maxLines, maxProperties, recordedOf, shownChoice } from './history-plan.ts'
import { HistoryToolbar } from './history-toolbar.tsx'
import type { HistoryUrl, SetHistoryUrl } from './history-url.ts'
import { useHistory } from './use-history.ts'
import { useHistoryExport } from './use-history-export.ts'

const HistoryTable = lazy(async () => ({ default: (await import('./history-table.tsx')).HistoryTable }))

interface HistoryViewProps {
  device: Device
  model: ThingModel
  /** How far back values are kept. */
  valueDays: number
  url: HistoryUrl
  onChange: SetHistoryUrl
}

function useChoice(device: Device, recorded: readonly Property[], url: HistoryUrl): HistoryChoice {
  return useMemo(() => {
    const properties = recorded.filter(({ identifier }) => url.props.includes(identifier)).slice(0, maxProperties)
    const room = Math.max(1, Math.floor(maxLines / Math.max(1, properties.length)))
    return {
      time: parseTimeChoice(url.time) ?? { preset: TimePreset.today },
      interval: url.interval,
      func: url.func,
      properties,
      productID: device.productID,
      deviceNames: [device.deviceName, ...url.devices.filter((name) => name !== device.deviceName)].slice(0, room),
    }
  }, [device.productID, device.deviceName, recorded, url])
}

interface NotesProps {
  data: Shown
  choice: HistoryChoice
  table: boolean
  onChange: SetHistoryUrl
}

/** Why the chart does not show everything, if so. */
function Notes({ data, choice, table, onChange }: NotesProps) {
  // The raw table shows them like all others.
  const undrawn = table && data.interval === 0 ? [] : choice.properties.filter((property) => !isDrawable(property))
  return (
    <>
      {data.coarser && (
        <Alert
          type="info"
          showIcon
          title={t('所选周期的数据点太多，已改为每 {interval} 一个点', { interval: intervalLabel(data.interval) })}
        />
      )}
      {!table && data.interval === 0 && data.total > maxRows && (
        <Alert
          type="warning"
          showIcon
          title={t('共 {total, number} 个点，图上是最早的 {shown, number} 个', { total: data.total, shown: maxRows })}
          action={
            <Button size="small" onClick={() => onChange({ interval: autoInterval })}>
              {t('改用自动周期')}
            </Button>
          }
        />
      )}
      {undrawn.length > 0 && (
        <Alert
          type="info"
          showIcon
          title={t('{names}不是数值，不能画成曲线', { names: undrawn.map(({ name }) => name).join(t('、')) })}
          action={
            <Button size="small" onClick={() => onChange({ as: 'table', interval: rawInterval })}>
              {t('看原始表格')}
            </Button>
          }
        />
      )}
    </>
  )
}

interface Shown {
  interval: number
  coarser: boolean
  total: number
}

interface FootProps extends Omit<NotesProps, 'onChange'> {
  history: ReturnType<typeof useHistory>
}

/** How dense the points are, what can be done with the chart, and reading again by itself. */
function Foot({ history, data, choice, table }: FootProps) {
  const { interval } = data
  return (
    <div className="row wrap between above-8 gap-8">
      <span className="meta">
        {interval > 0 ? t('每 {interval} 一个点', { interval: intervalLabel(interval) }) : t('原始数据')}
        {!table &&
          history.series.some(({ points }) => points.length > 0) &&
          t('；在图上拖动（或用放大按钮）选择一段，可以导出这段或以此新增告警；点图上的标记看它的详情')}
      </span>
      {isPreset(choice.time) && !(table && interval === 0) && (
        <AutoRefresh
          // Raw values are many: they are read again when somebody asks for it.
          key={String(interval === 0)}
          defaultOn={choice.time.preset !== TimePreset.yesterday && interval > 0}
          updatedAt={history.dataUpdatedAt}
          refreshing={history.isFetching}
          onRefresh={() => history.refetch({ throwOnError: true })}
        />
      )}
    </div>
  )
}

/** screens.md 6.4: some properties over time, of one device or of several. */
export function HistoryView({ device, model, valueDays, url, onChange }: HistoryViewProps) {
  const recorded = useMemo(() => recordedOf(model), [model])
  const choice = useChoice(device, recorded, url)
  const history = useHistory(choice)
  const { data, series } = history
  const [zoom, setZoom] = useState<TimeWindow & { of: string }>()
  // Another range or other lines are another picture: it starts unzoomed.
  const picture = JSON.stringify(data?.asked)
  const window = url.as === 'chart' && zoom?.of === picture ? zoom : undefined
  const exported = data ? shownChoice(choice, data.interval, window ?? data) : choice
  const exportShown = useHistoryExport(exported, t('{deviceName}-历史', { deviceName: device.deviceName }))
  const drawable = choice.properties.some(isDrawable)
  return (
    <div className="sheet pane">
      <HistoryToolbar
        url={url}
        onChange={onChange}
        properties={recorded}
        productID={device.productID}
        deviceName={device.deviceName}
        valueDays={valueDays}
        onExport={exportShown}
      />
      <Stale query={history} />
      <Loaded query={history} subject={t('历史数据')} rows={10}>
        {(data) => (
          <>
            <div className="history-notes stack gap-8">
              <Notes data={data} choice={choice} table={url.as === 'table'} onChange={onChange} />
            </div>
            {url.as === 'table' ? (
              <Suspense fallback={<Skeleton active paragraph={{ rows: 10 }} />}>
                <HistoryTable choice={choice} data={data} series={series} />
              </Suspense>
            ) : (
              drawable && (
                <HistoryBody
                  key={picture}
                  device={device}
                  model={model}
                  choice={choice}
                  data={data}
                  series={series}
                  loading={history.isPlaceholderData}
                  window={window}
                  onWindow={(part) => setZoom(part && { ...part, of: picture })}
                  onExport={exportShown}
                  onChange={onChange}
                />
              )
            )}
            <Foot history={history} data={data} choice={choice} table={url.as === 'table'} />
          </>
        )}
      </Loaded>
    </div>
  )
}
