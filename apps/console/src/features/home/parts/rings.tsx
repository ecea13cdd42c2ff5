import { type HomeSummary, readHomeSummary } from '@ithings/contract/features/home.ts'
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { ChartExport } from '#kit/chart-export.tsx'
import { numberText } from '#kit/number-text.ts'
import { percent, shortFigure } from '../figures.ts'
import { useLayout } from '../layout-context.ts'
import { look, stateColours, stateWords } from '../look.ts'
import { devicesPath } from '../paths.ts'
import { Donut } from './donut.tsx'
import { Panel } from './panel.tsx'

interface RingRow {
  key: string
  label: string
  value: number
  colour: string
  to: string
}

interface RingProps {
  title: string
  centre: string
  centreNote: string
  rows: readonly RingRow[]
}

function Ring({ title, centre, centreNote, rows }: RingProps) {
  const { ring } = useLayout()
  const total = rows.reduce((sum, { value }) => sum + value, 0)
  const size = Math.round(ring * 5)
  return (
    <section className="home-ring row" aria-label={title}>
      <div className="relative fixed" style={{ width: size, height: size }}>
        <Donut parts={rows} size={size} width={Math.round(ring * 0.48)} />
        <span className="home-ring-centre absolute row column center softer small">
          <strong className="bold">{centre}</strong>
          <span>{centreNote}</span>
        </span>
      </div>
      <ul className="grow shrink">
        {rows.map(({ key, label, value, colour, to }) => (
          <li key={key}>
            <Link to={to}>
              <i className="home-key" style={{ background: colour }} aria-hidden="true" />
              <span className="cut">{label}</span>
              <b className="bold" title={numberText(value)}>
                {shortFigure(value)}
              </b>
              <em className="quiet small">{percent(value, total)}</em>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const typeRows = [
  ['subset', '子设备', look.accent, DeviceType.subDevice],
  ['device', '直连设备', look.teal, DeviceType.device],
  ['gateway', '网关', stateColours.inactive, DeviceType.gateway],
] as const

const stateRows = ['online', 'offline', 'inactive'] as const

/** Both rings are one line: what they count are the same devices. */
const columns = (): ExportColumn[] => [
  { key: 'at', head: t('时间'), type: 'time' },
  { key: 'totals.total', head: t('设备总数') },
  ...typeRows.map(([key, label]) => ({ key: `byType.${key}`, head: t(label) })),
  ...stateRows.map((state) => ({ key: `totals.${state}`, head: t(stateWords[state]) })),
]

/** screens.md 2: by type and by status, in one panel. */
export function Rings({ byType, totals }: Pick<HomeSummary, 'byType' | 'totals'>) {
  const types = typeRows.map(([key, label, colour, deviceType]) => {
    return { key, label: t(label), value: byType[key], colour, to: devicesPath({ deviceType }) }
  })
  const states = stateRows.map((state) => ({
    key: state,
    label: t(stateWords[state]),
    value: totals[state],
    colour: stateColours[state],
    to: devicesPath({ state }),
  }))
  const side = (
    <>
      {t('按类型 / 按状态')}
      <ChartExport
        title={t('设备构成')}
        columns={columns}
        rows=""
        source={{ path: readHomeSummary.path, bodies: [{}] }}
      />
    </>
  )
  return (
    <Panel title={t('设备构成')} side={side} className="home-rings">
      <Ring
        title={t('按类型')}
        centre={shortFigure(totals.total)}
        centreNote={t('设备', { context: 'counted' })}
        rows={types}
      />
      <Ring title={t('按状态')} centre={percent(totals.online, totals.total)} centreNote={t('在线率')} rows={states} />
    </Panel>
  )
}
