import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { alarmLevelLabels, alarmLevels } from '@ithings/contract/features/alarms/config.ts'
import { type HomeMap, type HomeSummary, readHomeMap } from '@ithings/contract/features/home.ts'
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { ChartExport } from '#kit/chart-export.tsx'
import { numberText } from '#kit/number-text.ts'
import { percent } from '../figures.ts'
import { stateColours, stateWords } from '../look.ts'
import { type DeviceState, devicesPath } from '../paths.ts'
import type { MapFilter } from './place-clusters.ts'

const few = 5

interface ProductsProps {
  products: HomeSummary['byProduct']
  total: number
  chosen: string
  onChoose: (productID: string) => void
}

/** Filters the map by product; the number leads to the product's devices. */
export function Products({ products, total, chosen, onChoose }: ProductsProps) {
  const [all, setAll] = useState(false)
  const shown = all ? products : products.slice(0, few)
  const rows = [{ productID: '', productName: t('全部产品'), total }, ...shown]
  return (
    <ul className="home-products absolute" aria-label={t('按产品筛选地图')}>
      {rows.map(({ productID, productName, total: count }) => (
        <li key={productID} className="flex between">
          <button
            type="button"
            className="cut"
            aria-pressed={chosen === productID}
            title={productName}
            onClick={() => onChoose(productID)}
          >
            {productName}
          </button>
          <Link
            to={devicesPath(productID ? { productID } : {})}
            aria-label={t('{product} {count, number} 台', { product: productName, count })}
          >
            {numberText(count)}
          </Link>
        </li>
      ))}
      {products.length > few && (
        <li>
          <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('收起') : t('更多 {count} 个', { count: products.length - few })}
          </button>
        </li>
      )}
    </ul>
  )
}

const states: readonly DeviceState[] = ['online', 'offline', 'inactive']

/** What stands on the map: states that are hidden have no column. */
const columnsOf = (hidden: MapFilter['hidden']) => (): ExportColumn[] => [
  { key: 'longitude', head: t('经度') },
  { key: 'latitude', head: t('纬度') },
  { key: 'places.name', head: t('城市') },
  ...states
    .filter((state) => !hidden.has(state))
    .map((state): ExportColumn => ({ key: state, head: t(stateWords[state]) })),
  {
    key: 'level',
    head: t('告警级别'),
    labels: { 0: '', ...Object.fromEntries(alarmLevels.map((level) => [level, t(alarmLevelLabels[level])])) },
  },
  { key: 'deviceName', head: t('设备名称') },
]

interface LegendProps {
  filter: MapFilter
  onChange: (filter: MapFilter) => void
  /** What the map was asked for. */
  asked: BodyInput<typeof readHomeMap>
}

export function Legend({ filter, onChange, asked }: LegendProps) {
  const toggle = (state: DeviceState) => {
    const hidden = new Set(filter.hidden)
    if (!hidden.delete(state)) hidden.add(state)
    // Nothing at all is no choice.
    onChange({ ...filter, hidden: hidden.size === states.length ? new Set() : hidden })
  }
  return (
    <ul className="home-map-legend absolute" aria-label={t('按状态筛选地图')}>
      {states.map((state) => (
        <li key={state}>
          <button type="button" className="row" aria-pressed={!filter.hidden.has(state)} onClick={() => toggle(state)}>
            <i style={{ background: stateColours[state] }} aria-hidden="true" />
            {t(stateWords[state])}
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          aria-pressed={filter.alarmed}
          className="home-legend-alarm row"
          onClick={() => onChange({ ...filter, alarmed: !filter.alarmed })}
        >
          <i aria-hidden="true" />
          {t('有未处理告警')}
        </button>
      </li>
      <li>
        <ChartExport
          title={t('设备分布')}
          columns={columnsOf(filter.hidden)}
          rows="clusters"
          source={{ path: readHomeMap.path, bodies: [{ ...asked, ...(filter.alarmed && { alarmed: true }) }] }}
        />
      </li>
    </ul>
  )
}

interface WorstProps {
  worst: HomeMap['worst']
  unplaced: number
  onChoose: (city: HomeMap['worst'][number]) => void
}

export function WorstCities({ worst, unplaced, onChoose }: WorstProps) {
  if (worst.length === 0 && unplaced === 0) return null
  const highest = Math.max(...worst.map(({ offline, total }) => offline / total))
  return (
    <section className="home-worst absolute" aria-label={t('离线率最高的城市')}>
      {worst.length > 0 && <h2>{t('离线率最高的城市')}</h2>}
      <ol>
        {worst.map((city) => (
          <li key={city.name}>
            <button
              type="button"
              title={t('{name}：{total, number} 台中 {offline, number} 台离线，在地图上查看', {
                name: city.name,
                total: city.total,
                offline: city.offline,
              })}
              onClick={() => onChoose(city)}
            >
              <span className="cut">{city.name}</span>
              <b className="bold">{percent(city.offline, city.total)}</b>
              <i className="home-bar" aria-hidden="true">
                <i style={{ width: `${(city.offline / city.total / highest) * 100}%` }} />
              </i>
            </button>
          </li>
        ))}
      </ol>
      {unplaced > 0 && <p>{t('另有 {count, number} 台没有位置', { count: unplaced })}</p>}
    </section>
  )
}
