import type { HomeSummary } from '@ithings/contract/features/home.ts'
import { DeviceType } from '@ithings/contract/features/products/info.ts'
import { Link } from 'react-router'
import { figure, percent, shortFigure } from '../figures.ts'
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
      <div className="home-ring-picture" style={{ width: size, height: size }}>
        <Donut parts={rows} size={size} width={Math.round(ring * 0.48)} />
        <span className="home-ring-centre row">
          <strong>{centre}</strong>
          <span>{centreNote}</span>
        </span>
      </div>
      <ul>
        {rows.map(({ key, label, value, colour, to }) => (
          <li key={key}>
            <Link to={to}>
              <i className="home-key" style={{ background: colour }} aria-hidden="true" />
              <span>{label}</span>
              <b title={figure(value)}>{shortFigure(value)}</b>
              <em>{percent(value, total)}</em>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** screens.md 2: by type and by status, in one panel. */
export function Rings({ byType, totals }: Pick<HomeSummary, 'byType' | 'totals'>) {
  const types: RingRow[] = [
    {
      key: 'subset',
      label: '子设备',
      value: byType.subset,
      colour: look.accent,
      to: devicesPath({ deviceType: DeviceType.subDevice }),
    },
    {
      key: 'device',
      label: '直连设备',
      value: byType.device,
      colour: look.teal,
      to: devicesPath({ deviceType: DeviceType.device }),
    },
    {
      key: 'gateway',
      label: '网关',
      value: byType.gateway,
      colour: stateColours.inactive,
      to: devicesPath({ deviceType: DeviceType.gateway }),
    },
  ]
  const states = (['online', 'offline', 'inactive'] as const).map((state) => ({
    key: state,
    label: stateWords[state],
    value: totals[state],
    colour: stateColours[state],
    to: devicesPath({ state }),
  }))
  return (
    <Panel title="设备构成" side="按类型 / 按状态" className="home-rings">
      <Ring title="按类型" centre={shortFigure(totals.total)} centreNote="设备" rows={types} />
      <Ring title="按状态" centre={percent(totals.online, totals.total)} centreNote="在线率" rows={states} />
    </Panel>
  )
}
