/** What part of the map is on the screen: pan, zoom, and what to ask the server for. Pure. */
import { bd09ToGcj02, gcj02ToBd09 } from '@ithings/contract/coordinates.ts'
import type { HomeCluster } from '@ithings/contract/features/home.ts'
import type { Degrees, Flat } from './albers.ts'
import type { Plane } from './planes.ts'

/** The middle of the screen on the flat map, and pixels a unit. */
export interface View {
  plane: Plane
  x: number
  y: number
  k: number
}

export interface Size {
  width: number
  height: number
}

export type Box = [number, number, number, number]

export interface Asked {
  box: Box
  zoom: number
}

export interface MapProps {
  clusters: readonly HomeCluster[]
  /** Called with what the map shows; must stay the same function. */
  onAsk: (asked: Asked) => void
  /** A place that somebody chose elsewhere; each choice is a new object. */
  target: { place: Degrees } | undefined
  /** Where devices that lie at one place are listed. */
  listPath: string
}

const mostScale = 800_000

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** What the map begins with. */
export function wholeOf(plane: Plane, { width, height }: Size): View {
  const { ends, leastScale } = plane
  const [xs, ys] = [ends.map(([x]) => x), ends.map(([, y]) => y)]
  const [west, east] = [Math.min(...xs), Math.max(...xs)]
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  // Legends stand in the corners; on a phone they are below the map.
  const share = width < 500 ? 0.95 : 0.8
  const k = Math.max(leastScale, Math.min((width / (east - west)) * share, (height / (bottom - top)) * 0.95))
  return { plane, x: (west + east) / 2, y: (top + bottom) / 2, k }
}

export const screenOf = (view: View, { width, height }: Size, [x, y]: Flat): Flat => [
  (x - view.x) * view.k + width / 2,
  (y - view.y) * view.k + height / 2,
]

const flatOf = (view: View, { width, height }: Size, [x, y]: Flat): Flat => [
  (x - width / 2) / view.k + view.x,
  (y - height / 2) / view.k + view.y,
]

export const panned = (view: View, dx: number, dy: number): View => ({
  ...view,
  x: view.x - dx / view.k,
  y: view.y - dy / view.k,
})

/** The place under the pointer stays under it. */
export function zoomed(view: View, size: Size, by: number, at: Flat = [size.width / 2, size.height / 2]): View {
  const k = clamp(view.k * by, view.plane.leastScale, mostScale)
  const [x, y] = flatOf(view, size, at)
  return { ...view, k, x: x - (at[0] - size.width / 2) / k, y: y - (at[1] - size.height / 2) / k }
}

export function centredOn(view: View, place: Degrees, by: number): View {
  const [x, y] = view.plane.project(place)
  return { ...view, x, y, k: clamp(view.k * by, view.plane.leastScale, mostScale) }
}

/** False: what still lies together lies at one place. */
export const canZoomIn = (view: View): boolean => view.k < mostScale * 0.99

const steps = 8

/** West, south, east, north of everything on the screen: the projection bends straight edges. */
export function boxOf(view: View, size: Size): Box {
  const box: Box = [180, 90, -180, -90]
  for (let i = 0; i <= steps; i++) {
    for (let j = 0; j <= steps; j++) {
      const at: Flat = [(size.width * i) / steps, (size.height * j) / steps]
      const [longitude, latitude] = view.plane.unproject(flatOf(view, size, at))
      box[0] = Math.min(box[0], longitude)
      box[1] = Math.min(box[1], latitude)
      box[2] = Math.max(box[2], longitude)
      box[3] = Math.max(box[3], latitude)
    }
  }
  return box
}

const tile = 256
const mostZoom = 18
/** One level finer than a cluster is wide: what touches is joined on the screen, by the real distance. */
const finer = 1

/** The contract's zoom: at 0 the world is 256 pixels wide. */
export function zoomOf(view: View, size: Size): number {
  const { project, unproject } = view.plane
  const [longitude, latitude] = unproject(flatOf(view, size, [size.width / 2, size.height / 2]))
  const half = 0.5
  const [, upper] = project([longitude, Math.min(90, latitude + half)])
  const [, lower] = project([longitude, Math.max(-90, latitude - half)])
  const perDegree = Math.max(1e-9, Math.abs(lower - upper)) * view.k
  return clamp(Math.floor(Math.log2((perDegree * 360) / tile)) + finer, 0, mostZoom)
}

/** Rounded outwards to a grid of the zoom, so that small moves ask nothing new. */
export function askedBox(box: Box, zoom: number): Box {
  const cell = 180 / 2 ** zoom
  const down = (value: number, low: number) => Math.max(low, Math.floor(value / cell) * cell)
  const up = (value: number, high: number) => Math.min(high, Math.ceil(value / cell) * cell)
  return [down(box[0], -180), down(box[1], -90), up(box[2], 180), up(box[3], 90)]
}

/**
 * Positions are BD09 (http-api.md 1), the bundled outlines of China GCJ02 as all public maps there: up to a kilometre
 * apart. Converted on the way to the outlines and back, here only; the provider's own map takes BD09 as it is.
 */
export function onOutlines({ longitude, latitude }: { longitude: number; latitude: number }): Degrees {
  const place = bd09ToGcj02({ longitude, latitude })
  return [place.longitude, place.latitude]
}

/** What lies at an end of the world stays there. */
export function boxFromOutlines([west, south, east, north]: Box): Box {
  const low = gcj02ToBd09({ longitude: west, latitude: south })
  const high = gcj02ToBd09({ longitude: east, latitude: north })
  return [
    west <= -180 ? -180 : low.longitude,
    south <= -90 ? -90 : low.latitude,
    Math.min(180, high.longitude),
    Math.min(90, high.latitude),
  ]
}
