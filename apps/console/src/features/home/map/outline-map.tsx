import { MinusOutlined, PlusOutlined, UndoOutlined } from '@ant-design/icons'
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useLayout } from '../layout-context.ts'
import { useSize } from '../use-size.ts'
import { type Degrees, project } from './albers.ts'
import type { MapProps } from './map-props.ts'
import { provincePaths, southSeaPath, worldPath } from './outlines.ts'
import { type NamedSpot, named, spotsOf } from './place-clusters.ts'
import { SpotCard, SpotMark } from './spot-mark.tsx'
import { useGestures } from './use-gestures.ts'
import {
  askedBox,
  boxFromOutlines,
  boxOf,
  canZoomIn,
  centredOn,
  onOutlines,
  panned,
  type Size,
  screenOf,
  type View,
  wholeCountry,
  zoomed,
  zoomOf,
} from './view.ts'

/** Drawn once; panning and zooming only moves it. */
const Ground = memo(() => (
  <>
    <path className="home-world" d={worldPath} />
    <path className="home-provinces" d={provincePaths.join('')} />
    <path className="home-south-sea" d={southSeaPath} />
  </>
))

/** Of small texts on a wall, where rings have their drawn size. */
const wallMeta = 14
const phoneScale = 0.75
const keyPan = 60
const keyZoom = 1.5
const openZoom = 2.5
const placeOf = ([longitude, latitude]: Degrees) => onOutlines({ longitude, latitude })
const spotKey = ({ cluster }: NamedSpot) => `${cluster.longitude} ${cluster.latitude}`

export function OutlineMap({ clusters, onAsk, target, listPath }: MapProps) {
  const navigate = useNavigate()
  const layout = useLayout()
  const [host, size] = useSize<HTMLDivElement>()
  const [moved, setMoved] = useState<View>()
  const [pointed, setPointed] = useState('')
  const view = useMemo(() => moved ?? (size && wholeCountry(size)), [moved, size])
  // Rings follow the texts beside them.
  const scale = layout.mode === 'phone' ? phoneScale : layout.meta / wallMeta

  const change = (next: (view: View, size: Size) => View) => {
    if (size) setMoved((before) => next(before ?? wholeCountry(size), size))
  }
  const gestures = useGestures(host, layout.mode === 'wide', {
    onPan: (dx, dy) => change((before) => panned(before, dx, dy)),
    onZoom: (by, at) => change((before, room) => zoomed(before, room, by, at)),
  })

  const room = useRef(size)
  room.current = size

  // Asked for when the hand rests, not for every pixel on the way.
  useEffect(() => {
    if (!view || !size) return
    const ask = () => {
      const zoom = zoomOf(view, size)
      onAsk({ box: boxFromOutlines(askedBox(boxOf(view, size), zoom)), zoom })
    }
    const timer = setTimeout(ask, moved ? 200 : 0)
    return () => clearTimeout(timer)
  }, [view, size, moved, onAsk])

  useEffect(() => {
    if (target && room.current) setMoved(centredOn(wholeCountry(room.current), placeOf(target.place), 4))
  }, [target])

  const spots = useMemo(() => {
    if (!view || !size) return []
    const placed = spotsOf(clusters, (cluster) => screenOf(view, size, project(onOutlines(cluster))), scale)
    const inside = placed.filter(({ x, y }) => x > -40 && y > -40 && x < size.width + 40 && y < size.height + 40)
    return named(inside, layout.meta, scale, size)
  }, [clusters, view, size, layout, scale])
  const shown = spots.find((spot) => spotKey(spot) === pointed)

  const open = ({ cluster }: NamedSpot) => {
    if (view && !canZoomIn(view)) void navigate(listPath)
    else change((before) => centredOn(before, onOutlines(cluster), openZoom))
  }
  const pressed = (event: KeyboardEvent) => {
    const pans: Record<string, [number, number]> = {
      ArrowLeft: [keyPan, 0],
      ArrowRight: [-keyPan, 0],
      ArrowUp: [0, keyPan],
      ArrowDown: [0, -keyPan],
    }
    const pan = pans[event.key]
    if (pan) change((before) => panned(before, ...pan))
    else if (event.key === '+' || event.key === '=') change((before, room) => zoomed(before, room, keyZoom))
    else if (event.key === '-') change((before, room) => zoomed(before, room, 1 / keyZoom))
    else return
    event.preventDefault()
  }

  return (
    <section className="home-map-canvas" aria-label="设备分布地图" onKeyDown={pressed}>
      <div ref={host} className="home-map-stage" {...gestures}>
        {view && size && (
          <svg width={size.width} height={size.height} aria-hidden="true">
            <g
              transform={`translate(${size.width / 2 - view.x * view.k} ${size.height / 2 - view.y * view.k}) scale(${view.k})`}
            >
              <Ground />
            </g>
          </svg>
        )}
        {spots.map((spot) => (
          <SpotMark
            key={spotKey(spot)}
            spot={spot}
            scale={scale}
            onOpen={() => open(spot)}
            onPoint={(on) => setPointed(on ? spotKey(spot) : '')}
          />
        ))}
        {shown && <SpotCard spot={shown} />}
      </div>
      <fieldset className="home-zoom column shrink" aria-label="地图缩放">
        <button type="button" aria-label="放大" onClick={() => change((before, room) => zoomed(before, room, keyZoom))}>
          <PlusOutlined />
        </button>
        <button
          type="button"
          aria-label="缩小"
          onClick={() => change((before, room) => zoomed(before, room, 1 / keyZoom))}
        >
          <MinusOutlined />
        </button>
        {moved && (
          <button type="button" aria-label="回到全国" title="回到全国" onClick={() => setMoved(undefined)}>
            <UndoOutlined />
          </button>
        )}
      </fieldset>
    </section>
  )
}
