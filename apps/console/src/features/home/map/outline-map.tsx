import { MinusOutlined, PlusOutlined, UndoOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { outlines, provinces } from '#kit/map/outlines.ts'
import { useMemo } from '#language/use-memo.ts'
import { useLayout } from '../layout-context.ts'
import { useSize } from '../use-size.ts'
import { type Degrees, type Flat, project } from './albers.ts'
import { type NamedSpot, named, spotsOf } from './place-clusters.ts'
import { diaoyuIslands, southSea } from './south-sea.ts'
import { SpotCard, SpotMark } from './spot-mark.tsx'
import { useGestures } from './use-gestures.ts'
import {
  askedBox,
  boxFromOutlines,
  boxOf,
  canZoomIn,
  centredOn,
  type MapProps,
  onOutlines,
  panned,
  type Size,
  screenOf,
  type View,
  wholeCountry,
  zoomed,
  zoomOf,
} from './view.ts'

/** Fine enough for a street of a city at the largest zoom of the outlines' own detail. */
const digits = 5

/** A long straight edge of the world would be a chord of the bent map: it gets points in between. */
const longest = 4

function* bent(ring: readonly number[][]): Generator<Degrees> {
  let before: Degrees | undefined
  for (const [longitude = 0, latitude = 0] of ring) {
    if (before) {
      const parts = Math.ceil(Math.hypot(longitude - before[0], latitude - before[1]) / longest)
      for (let part = 1; part < parts; part++) {
        const share = part / parts
        yield [before[0] + (longitude - before[0]) * share, before[1] + (latitude - before[1]) * share]
      }
    }
    before = [longitude, latitude]
    yield before
  }
}

const flatPath = (ring: readonly Flat[]): string =>
  `M${ring.map(([x, y]) => `${x.toFixed(digits)},${y.toFixed(digits)}`).join('L')}Z`

const ringPath = (ring: readonly number[][]): string => flatPath([...bent(ring)].map(project))

const shapePath = ({ geometry }: (typeof outlines)['features'][number]): string =>
  (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates).flat().map(ringPath).join('')

const names = new Set(provinces.map(({ properties }) => properties.name))

/** The neighbours, dimmer than the country. */
const worldPath: string = outlines.features
  .filter(({ properties }) => !names.has(properties.name))
  .map(shapePath)
  .join('')

const provincePaths: readonly string[] = [...provinces.map(shapePath), ringPath(diaoyuIslands)]
/** The islands of the South China Sea in their frame, as every map of the country shows them. */
const southSeaPath: string = southSea.map(flatPath).join('')

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

const keyPans: Record<string, [number, number]> = {
  ArrowLeft: [keyPan, 0],
  ArrowRight: [-keyPan, 0],
  ArrowUp: [0, keyPan],
  ArrowDown: [0, -keyPan],
}

/** The part of the country that is looked at: the whole of it until somebody moves, then what was asked for or found. */
function useView(size: Size | undefined, target: MapProps['target'], onAsk: MapProps['onAsk']) {
  const [moved, setMoved] = useState<View>()
  const view = useMemo(() => moved ?? (size && wholeCountry(size)), [moved, size])
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

  const change = (next: (view: View, size: Size) => View) => {
    if (size) setMoved((before) => next(before ?? wholeCountry(size), size))
  }
  return {
    view,
    change,
    zoom: (by: number) => change((before, within) => zoomed(before, within, by)),
    /** Undefined: nobody has moved. */
    reset: moved && (() => setMoved(undefined)),
  }
}

function ZoomButtons({ zoom, reset }: Pick<ReturnType<typeof useView>, 'zoom' | 'reset'>) {
  return (
    <fieldset className="home-zoom absolute column shrink" aria-label={t('地图缩放')}>
      <button type="button" aria-label={t('放大')} onClick={() => zoom(keyZoom)}>
        <PlusOutlined />
      </button>
      <button type="button" aria-label={t('缩小')} onClick={() => zoom(1 / keyZoom)}>
        <MinusOutlined />
      </button>
      {reset && (
        <button type="button" aria-label={t('回到全国')} title={t('回到全国')} onClick={reset}>
          <UndoOutlined />
        </button>
      )}
    </fieldset>
  )
}

export function OutlineMap({ clusters, onAsk, target, listPath }: MapProps) {
  const navigate = useNavigate()
  const layout = useLayout()
  const [host, size] = useSize<HTMLDivElement>()
  const { view, change, zoom, reset } = useView(size, target, onAsk)
  const [pointed, setPointed] = useState('')
  // Rings follow the texts beside them.
  const scale = layout.mode === 'phone' ? phoneScale : layout.meta / wallMeta
  const gestures = useGestures(host, layout.mode === 'wide', {
    onPan: (dx, dy) => change((before) => panned(before, dx, dy)),
    onZoom: (by, at) => change((before, room) => zoomed(before, room, by, at)),
  })

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
    const pan = keyPans[event.key]
    if (pan) change((before) => panned(before, ...pan))
    else if (event.key === '+' || event.key === '=') zoom(keyZoom)
    else if (event.key === '-') zoom(1 / keyZoom)
    else return
    event.preventDefault()
  }

  return (
    <section className="home-map-canvas" aria-label={t('设备分布地图')} onKeyDown={pressed}>
      <div ref={host} className="home-map-stage relative clip" {...gestures}>
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
      <ZoomButtons zoom={zoom} reset={reset} />
    </section>
  )
}
