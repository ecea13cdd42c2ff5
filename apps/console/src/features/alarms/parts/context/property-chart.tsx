import type { AlarmCause, AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Segmented, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { useNow } from '#blocks/alarm-records/use-now.ts'
import { historyColumns } from '#blocks/history-chart/history-columns.ts'
import { buildSeries } from '#blocks/history-chart/series.ts'
import { modelQuery } from '#blocks/model-query.ts'
import { describeText, describeValue, figureText, isNumeric, isState } from '#blocks/typed-value/value-text.ts'
import { Chart } from '#kit/chart.tsx'
import { ChartExport } from '#kit/chart-export.tsx'
import { readingOf } from '#kit/exporting.ts'
import { usePreferences } from '#kit/preferences.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { surfaces } from '#kit/theme/palette.ts'
import { useMemo } from '#language/use-memo.ts'
import { alarmChartOption } from '../../alarm-chart.ts'
import { limitsOf, seenNumber } from '../../cause.ts'
import { propertyLogQuery } from '../../context-queries.ts'

/** screens.md 25: 30 minutes around the alarm. */
const around = 30 * 60_000
/** As fine as the screen can show; devices that report faster are thinned out by the server. */
const step = 5000
const mostPoints = 2000
const height = 200
const pace = 10_000

const historyQuery = ({ productID, deviceName }: AlarmRecord, { identifier }: Property, center: number) =>
  propertyLogQuery({
    productID,
    deviceNames: [deviceName],
    dataIDs: [identifier],
    timeStart: center - around,
    timeEnd: center + around,
    interval: step,
    // The value as it was: an average would hide the peak that raised the alarm.
    argFunc: 'last',
    page: { page: 1, size: mostPoints },
  })

interface PropertyChartProps {
  record: AlarmRecord
  /** Of the newest occurrence; undefined: unknown. */
  cause: AlarmCause | undefined
}

/** The property that raised it, or another one of the device. */
export function PropertyChart({ record, cause }: PropertyChartProps) {
  const [picked, setPicked] = useState<string>()
  const [which, setWhich] = useState<'first' | 'last'>('first')
  const model = useQuery(modelQuery(record.productID))
  const drawable = useMemo(
    () => model.data?.properties.filter(({ define }) => isNumeric(define) || isState(define)) ?? [],
    [model.data],
  )
  if (model.isError) {
    return <QueryError compact subject={t('物模型')} query={model} />
  }
  if (!model.data) return <Skeleton active paragraph={{ rows: 5 }} title={false} />
  const property =
    drawable.find(({ identifier }) => identifier === (picked ?? cause?.dataID)) ??
    drawable.find(({ identifier }) => identifier === picked) ??
    drawable[0]
  if (!property) return <p className="meta">{t('这个产品没有可以画成曲线的属性。')}</p>
  const center = which === 'first' ? record.firstAlarm : record.lastAlarm
  return (
    <>
      <div className="panel-title below-8 row wrap">
        <h3 className="bare bold">{property.name}</h3>
        {cause?.dataID === property.identifier && cause.value && (
          <b className="tone-error" title={t('最近一次告警时的值')}>
            {Number.isFinite(Number(cause.value)) ? describeText(property.define, cause.value) : cause.value}
          </b>
        )}
        <Segmented
          size="small"
          aria-label={t('时间')}
          value={which}
          onChange={setWhich}
          options={[
            { value: 'first', label: t('首次告警前后') },
            { value: 'last', label: t('最近告警前后') },
          ]}
        />
        <Select
          size="small"
          variant="borderless"
          className="to-end"
          aria-label={t('换属性')}
          popupMatchSelectWidth={240}
          showSearch={{ optionFilterProp: 'label' }}
          value={property.identifier}
          onChange={setPicked}
          labelRender={() => <span className="tone-processing">{t('换属性')}</span>}
          options={drawable.map(({ identifier, name }) => ({ value: identifier, label: `${name} ${identifier}` }))}
        />
        <ChartExport
          title={`${record.deviceAlias || record.deviceName} ${property.name}`}
          columns={() => historyColumns([property])}
          source={readingOf(historyQuery(record, property, center))}
        />
      </div>
      <Curve
        key={`${property.identifier} ${which}`}
        record={record}
        property={property}
        center={center}
        word={which === 'first' ? t('首次告警') : t('最近告警')}
        cause={cause?.dataID === property.identifier ? cause : undefined}
      />
    </>
  )
}

interface CurveProps {
  record: AlarmRecord
  property: Property
  center: number
  word: string
  /** Only when it speaks about this property. */
  cause: AlarmCause | undefined
}

function Curve({ record, property, center, word, cause }: CurveProps) {
  const { dark } = usePreferences()
  const now = useNow(pace)
  const { deviceName } = record
  const from = center - around
  const to = center + around
  const live = now < to
  const history = useQuery({
    ...historyQuery(record, property, center),
    placeholderData: keepPreviousData,
    refetchInterval: live ? pace : false,
  })
  const { data } = history
  const { define } = property
  const steps = isState(define)
  const option = useMemo(() => {
    const rows = data?.list ?? []
    const [line] = buildSeries({ rows, properties: [property], deviceNames: [deviceName], interval: 0, func: 'last' })
    const limits = limitsOf(cause)
    const seen = seenNumber(cause)
    const text = (value: number) =>
      steps ? describeValue(define, define.type === 'bool' ? value === 1 : value) : figureText(define, value)
    return alarmChartOption(
      {
        points: line?.points ?? [],
        from,
        to,
        now,
        mark: { time: center, word },
        limits,
        above: seen === undefined || limits.every((limit) => seen >= limit),
        steps,
        text,
        name: property.name,
      },
      dark ? surfaces.dark : surfaces.light,
    )
  }, [data, property, deviceName, cause, define, steps, from, to, now, center, word, dark])
  if (history.error && !data) return <QueryError compact subject={t('属性历史')} query={history} />
  return (
    <Chart
      height={height}
      option={option}
      label={t('{name}在{word}前后 30 分钟的曲线', { name: property.name, word })}
      loading={!data}
      empty={data !== undefined && data.list.length === 0}
      emptyText={t('这段时间没有数据')}
    />
  )
}
