import { Link } from 'react-router'
import { deviceDetailPath } from '#kit/paths.ts'
import { useLayout } from '../layout-context.ts'
import { levelColour, stateColours } from '../look.ts'
import { Donut } from '../parts/donut.tsx'
import { clusterFacts, clusterName, clusterWords } from './cluster-words.ts'
import { type NamedSpot, ringRoom, ringText } from './place-clusters.ts'

interface SpotMarkProps {
  spot: NamedSpot
  scale: number
  onOpen: () => void
  onPoint: (on: boolean) => void
}

function Picture({ spot, scale }: Pick<SpotMarkProps, 'spot' | 'scale'>) {
  const { cluster, r, x, y, label } = spot
  const size = Math.round(r * 2)
  const ring = ringRoom * scale
  const parts = (['online', 'offline', 'inactive'] as const).map((state) => ({
    key: state,
    value: cluster[state],
    colour: stateColours[state],
  }))
  const text = ringText(spot, useLayout().meta)
  return (
    <>
      {cluster.level > 0 && (
        <i
          className="home-spot-ring absolute circle"
          style={{ inset: -ring, borderColor: levelColour(cluster.level) }}
        />
      )}
      <Donut parts={parts} size={size} width={Math.max(3, Math.round(r * 0.2))} fill="var(--home-background)" />
      {/* What is drawn is its short form. */}
      <span className="visually-hidden">{clusterWords(cluster)}</span>
      {label && (
        <em style={{ left: label.left - x + r, top: label.top - y + r }} aria-hidden="true">
          {label.text}
        </em>
      )}
      {text && <b aria-hidden="true">{text}</b>}
    </>
  )
}

/** A cluster is opened by zooming in; one device by going to it. */
export function SpotMark({ spot, scale, onOpen, onPoint }: SpotMarkProps) {
  const { cluster, x, y, r } = spot
  const shared = {
    className: 'home-spot row center absolute pad-0 circle main-text',
    style: { left: x - r, top: y - r, width: r * 2, height: r * 2 },
    onPointerEnter: () => onPoint(true),
    onPointerLeave: () => onPoint(false),
    onFocus: () => onPoint(true),
    onBlur: () => onPoint(false),
  }
  if (cluster.deviceName) {
    return (
      <Link {...shared} to={deviceDetailPath(cluster)} draggable={false}>
        <Picture spot={spot} scale={scale} />
      </Link>
    )
  }
  return (
    <button type="button" {...shared} onClick={onOpen}>
      <Picture spot={spot} scale={scale} />
    </button>
  )
}

export function SpotCard({ spot }: { spot: NamedSpot }) {
  const { cluster, x, y, r } = spot
  const { meta } = useLayout()
  // Near the upper edge it would be cut off.
  const below = y - r < meta * 10
  const side = below ? 'home-spot-card-below' : ''
  return (
    <div
      className={`home-spot-card absolute bordered round-6 column softer small nowrap ${side}`}
      style={{ left: x, top: below ? y + r + 12 : y - r - 12 }}
      aria-hidden="true"
    >
      <b className="bold">{clusterName(cluster)}</b>
      {clusterFacts(cluster).map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </div>
  )
}
