import { MinusOutlined, PlusOutlined, UndoOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type MapScope, useMapScope } from '#kit/map/map-scope.ts'
import { MapSwitch } from '#kit/map/map-switch.tsx'
import { outlines, provinces } from '#kit/map/outlines.ts'
import { useMemo } from '#language/use-memo.ts'
import { useLayout } from '../layout-context.ts'
import { useSize } from '../use-size.ts'
import type { Degrees, Flat } from './albers.ts'
import { type NamedSpot, named, spotsOf } from './place-clusters.ts'
import { type Plane, planes } from './planes.ts'
import { diaoyuIslands, southSea } from './south-sea.ts'
import { SpotCard, SpotMark } from './spot-mark.tsx'
import { useGestures } from './use-gestures.ts'
import { useTaken } from './use-taken.ts'
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
  wholeOf,
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

type Shape = (typeof outlines)['features'][number]
const ringsOf = ({ geometry }: Shape) =>
  (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates).flat()
const pathOf = ({ project }: Plane, rings: readonly number[][][]): string =>
  rings.map((ring) => flatPath([...bent(ring)].map(project))).join('')

const names = new Set(provinces.map(({ properties }) => properties.name))

const countryRings = outlines.features
  // Mercator would draw the far south larger than all the rest.
  .filter(({ properties: { name } }) => !names.has(name) && name !== 'Antarctica')
  .flatMap(ringsOf)
const provinceRings = [...provinces.flatMap(ringsOf), diaoyuIslands]
/** The islands of the South China Sea in their frame, as every map of the country shows them. */
const southSeaPath: string = southSea.map(flatPath).join('')

const drawn = new Map<MapScope, { countries: string; provinces: string }>()

/** Made when a map is first shown. */
function pathsOf(plane: Plane) {
  const known = drawn.get(plane.scope)
  if (known) return known
  const made = { countries: pathOf(plane, countryRings), provinces: pathOf(plane, provinceRings) }
  drawn.set(plane.scope, made)
  return made
}

/** Drawn once; panning and zooming only moves it. */
const Ground = memo(({ plane }: { plane: Plane }) => {
  const { countries, provinces: parts } = pathsOf(plane)
  if (plane.scope === 'world') {
    return (
      <>
        <path className="home-provinces" d={countries} />
        {/* One country among others: no borders inside. */}
        <path className="home-provinces home-joined" d={parts} />
      </>
    )
  }
  return (
    <>
      {/* The neighbours, dimmer than the country. */}
      <path className="home-world" d={countries} />
      <path className="home-provinces" d={parts} />
      <path className="home-south-sea" d={southSeaPath} />
    </>
  )
})

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

/** The part of the map that is looked at: the whole of it until somebody moves, then what was asked for or found. */
function useView(plane: Plane, size: Size | undefined, target: MapProps['target'], onAsk: MapProps['onAsk']) {
  const [last, setMoved] = useState<View>()
  // On the other map it is another place.
  const moved = last?.plane === plane ? last : undefined
  const view = useMemo(() => moved ?? (size && wholeOf(plane, size)), [plane, moved, size])
  const whole = useRef(size && wholeOf(plane, size))
  whole.current = size && wholeOf(plane, size)

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
    if (target && whole.current) setMoved(centredOn(whole.current, placeOf(target.place), 4))
  }, [target])

  const change = (next: (view: View, size: Size) => View) => {
    if (size) setMoved((before) => next(before?.plane === plane ? before : wholeOf(plane, size), size))
  }
  return {
    view,
    change,
    zoom: (by: number) => change((before, within) => zoomed(before, within, by)),
    /** Undefined: nobody has moved. */
    reset: moved && (() => setMoved(undefined)),
  }
}

type ZoomProps = Pick<ReturnType<typeof useView>, 'zoom' | 'reset'> & ReturnType<typeof useMapScope>

function ZoomButtons({ zoom, reset, scope, choose }: ZoomProps) {
  const back = scope === 'china' ? t('回到全国') : t('回到全球')
  return (
    <fieldset className="home-zoom absolute column shrink" aria-label={t('地图缩放')}>
      <button type="button" aria-label={t('放大')} onClick={() => zoom(keyZoom)}>
        <PlusOutlined />
      </button>
      <button type="button" aria-label={t('缩小')} onClick={() => zoom(1 / keyZoom)}>
        <MinusOutlined />
      </button>
      <MapSwitch scope={scope} onChange={choose} />
      {reset && (
        <button type="button" aria-label={back} title={back} onClick={reset}>
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
  const { scope, choose } = useMapScope()
  const { view, change, zoom, reset } = useView(planes[scope], size, target, onAsk)
  const [pointed, setPointed] = useState('')
  // Rings follow the texts beside them.
  const scale = layout.mode === 'phone' ? phoneScale : layout.meta / wallMeta
  const gestures = useGestures(host, layout.mode === 'wide', {
    onPan: (dx, dy) => change((before) => panned(before, dx, dy)),
    onZoom: (by, at) => change((before, room) => zoomed(before, room, by, at)),
  })

  const taken = useTaken(host, clusters, size)
  const spots = useMemo(() => {
    if (!view || !size) return []
    const placed = spotsOf(clusters, (cluster) => screenOf(view, size, view.plane.project(onOutlines(cluster))), scale)
    const inside = placed.filter(({ x, y }) => x > -40 && y > -40 && x < size.width + 40 && y < size.height + 40)
    return named(inside, layout.meta, scale, { ...size, taken })
  }, [clusters, view, size, layout, scale, taken])
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
              <Ground plane={view.plane} />
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
      <ZoomButtons zoom={zoom} reset={reset} scope={scope} choose={choose} />
    </section>
  )
}
