/** Clusters on the screen: joined where their rings would touch, named where there is room (look.md "Map"). Pure. */

import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import { shortFigure } from '../figures.ts'
import type { DeviceState } from '../paths.ts'
import { clusterNames } from './cluster-words.ts'
import type { Size } from './view.ts'

export interface Spot {
  /** Screen pixels. */
  x: number
  y: number
  /** Of the donut; the ring of an alarm lies outside. */
  r: number
  cluster: HomeCluster
}

export interface NamedSpot extends Spot {
  /** Screen pixels. */
  label: { text: string; left: number; top: number } | undefined
}

export interface MapFilter {
  hidden: ReadonlySet<DeviceState>
  /** Only those with unhandled alarms. */
  alarmed: boolean
}

type Place = HomeCluster['places'][number]
const devicesOf = ({ online, offline, inactive }: Place): number => online + offline + inactive

/** A place that is in several clusters is one; most devices first. */
function mergedPlaces(places: readonly Place[]): Place[] {
  const byName = new Map<string, Place>()
  for (const place of places) {
    const { online = 0, offline = 0, inactive = 0 } = byName.get(place.name) ?? {}
    byName.set(place.name, {
      name: place.name,
      online: online + place.online,
      offline: offline + place.offline,
      inactive: inactive + place.inactive,
    })
  }
  return [...byName.values()].toSorted((a, b) => devicesOf(b) - devicesOf(a))
}

/** Only what the legend shows; the counts and places of a cluster are those of what is left. */
export function filtered(clusters: readonly HomeCluster[], { hidden, alarmed }: MapFilter): HomeCluster[] {
  const left = <T extends Place | HomeCluster>(one: T): T => ({
    ...one,
    online: hidden.has('online') ? 0 : one.online,
    offline: hidden.has('offline') ? 0 : one.offline,
    inactive: hidden.has('inactive') ? 0 : one.inactive,
  })
  return clusters.flatMap((cluster) => {
    if (alarmed && cluster.level === 0) return []
    const places = mergedPlaces(cluster.places.map(left).filter((place) => devicesOf(place) > 0))
    const total = places.reduce((sum, place) => sum + devicesOf(place), 0)
    return total > 0 ? [{ ...left(cluster), total, places }] : []
  })
}

const leastRadius = 10
const mostRadius = 28
/** The ring of an alarm and the gap before it. */
export const ringRoom = 5

/** By the root of the count, so that the area tells the number. */
export const radiusOf = (total: number, largest: number, scale = 1): number =>
  scale * (total <= 1 ? 6 : leastRadius + (mostRadius - leastRadius) * Math.sqrt(total / Math.max(largest, 2)))

function joined(into: HomeCluster, from: HomeCluster): HomeCluster {
  return {
    ...into,
    total: into.total + from.total,
    online: into.online + from.online,
    offline: into.offline + from.offline,
    inactive: into.inactive + from.inactive,
    level: Math.max(into.level, from.level),
    places: mergedPlaces([...into.places, ...from.places]),
    // No longer one device.
    productID: '',
    deviceName: '',
    deviceAlias: '',
  }
}

const touch = (a: Spot, b: Spot, room: number) => Math.hypot(a.x - b.x, a.y - b.y) < a.r + b.r + room

/** Largest first: the small ones go into the large ones beside them, which stay where they are. */
export function spotsOf(
  clusters: readonly HomeCluster[],
  placeOf: (cluster: HomeCluster) => readonly [number, number],
  scale = 1,
): Spot[] {
  const sorted = clusters.toSorted((a, b) => b.total - a.total)
  const largest = sorted[0]?.total ?? 0
  const spots: Spot[] = []
  for (const cluster of sorted) {
    const [x, y] = placeOf(cluster)
    const spot: Spot = { x, y, r: radiusOf(cluster.total, largest, scale), cluster }
    const near = spots.findIndex((one) => touch(one, spot, 2 * scale))
    const into = spots[near]
    if (!into) spots.push(spot)
    else {
      const all = joined(into.cluster, cluster)
      spots[near] = { ...into, cluster: all, r: radiusOf(all.total, Math.max(largest, all.total), scale) }
    }
  }
  return spots
}

export interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

/** Where names may stand, and what lies over the map already. */
export interface Room extends Size {
  taken?: readonly Rect[]
}

const overlap = (a: Rect, b: Rect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** A circle leaves its corners free. */
function covers({ left, top, right, bottom }: Rect, { x, y, r, cluster }: Spot, scale: number): boolean {
  const apart = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
  return apart < r + (cluster.level > 0 ? ringRoom * scale : 1)
}

/** Half the width of a digit, of its height. */
const digitShare = 0.29

/** The count inside the ring; '' where it does not fit. */
export function ringText({ cluster: { total }, r }: Spot, font: number): string {
  const text = shortFigure(total)
  return total > 1 && text.length * font * digitShare < r - 1 ? text : ''
}

/** Longest first: without room for all of it a shorter one tells the most important. */
function textsOf(spot: Spot, font: number): string[] {
  const count =
    spot.cluster.total > 1 && !ringText(spot, font) ? t(' · {count, number} 台', { count: spot.cluster.total }) : ''
  const [long, short] = clusterNames(spot.cluster)
  return [...new Set([long + count, short + count, short])]
}

/** Letters and digits are about half as wide as Chinese signs. */
const widthOf = (text: string, font: number): number =>
  [...text].reduce((width, sign) => width + (sign > '\u2e7f' ? font : font * 0.6), 0)

/** Right, above, left and below, then the corners between them. */
const sides = [
  [1, 0],
  [0, -1],
  [-1, 0],
  [0, 1],
  [0.9, -0.45],
  [0.9, 0.45],
  [-0.9, 0.45],
  [-0.9, -0.45],
  [0.75, -0.75],
  [0.75, 0.75],
  [-0.75, 0.75],
  [-0.75, -0.75],
] as const

function labelsOf(spot: Spot, font: number, scale: number) {
  const gap = spot.r + (spot.cluster.level > 0 ? ringRoom : 0) * scale + font * 0.35
  const height = font * 1.3
  return textsOf(spot, font).flatMap((text) => {
    const width = widthOf(text, font)
    return sides.map(([dx, dy]) => {
      const left = spot.x + dx * gap + (Math.sign(dx) - 1) * (width / 2)
      const top = spot.y + dy * gap + (Math.sign(dy) - 1) * (height / 2)
      return { text, left, top, right: left + width, bottom: top + height }
    })
  })
}

/** In this order, each where nothing is yet. */
function placed(spots: readonly Spot[], font: number, scale: number, room: Room): NamedSpot[] {
  const taken: Rect[] = [...(room.taken ?? [])]
  const isFree = (rect: Rect) =>
    rect.left >= 0 &&
    rect.top >= 0 &&
    rect.right <= room.width &&
    rect.bottom <= room.height &&
    !taken.some((other) => overlap(rect, other)) &&
    !spots.some((spot) => covers(rect, spot, scale))
  return spots.map((spot) => {
    const label = labelsOf(spot, font, scale).find(isFree)
    if (label) taken.push(label)
    return { ...spot, label }
  })
}

const rounds = 4

/**
 * A name that would cover another cluster or name, or that the edge would cut, is left out; pointing at the cluster still
 * tells it. Those without one choose first in the next round.
 */
export function named(spots: readonly Spot[], font: number, scale: number, room: Room): NamedSpot[] {
  let best = placed(spots, font, scale, room)
  let order = best
  const nameless = (some: NamedSpot[]) => some.filter(({ label }) => !label)
  for (let round = 1; round < rounds && nameless(order).length > 0; round++) {
    order = placed([...nameless(order), ...order.filter(({ label }) => label)], font, scale, room)
    if (nameless(order).length < nameless(best).length) best = order
  }
  return best
}
