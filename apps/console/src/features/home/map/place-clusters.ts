/** Clusters on the screen: joined where their rings would touch, named where there is room (look.md "Map"). Pure. */
import type { HomeCluster } from '@ithings/contract/features/home.ts'
import type { DeviceState } from '../paths.ts'
import { clusterName } from './cluster-words.ts'

export interface Spot {
  /** Screen pixels. */
  x: number
  y: number
  /** Of the donut; the ring of an alarm lies outside. */
  r: number
  cluster: HomeCluster
}

export type LabelSide = 'right' | 'left' | 'top' | 'bottom'
export interface NamedSpot extends Spot {
  label: LabelSide | undefined
}

export interface MapFilter {
  hidden: ReadonlySet<DeviceState>
  /** Only those with unhandled alarms. */
  alarmed: boolean
}

/** Only what the legend shows; the counts of a cluster are those of what is left. */
export function filtered(clusters: readonly HomeCluster[], { hidden, alarmed }: MapFilter): HomeCluster[] {
  return clusters.flatMap((cluster) => {
    if (alarmed && cluster.level === 0) return []
    const online = hidden.has('online') ? 0 : cluster.online
    const offline = hidden.has('offline') ? 0 : cluster.offline
    const inactive = hidden.has('inactive') ? 0 : cluster.inactive
    const total = online + offline + inactive
    return total > 0 ? [{ ...cluster, online, offline, inactive, total }] : []
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

interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

const overlap = (a: Rect, b: Rect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const around = ({ x, y, r, cluster }: Spot, scale: number): Rect => {
  const reach = r + (cluster.level > 0 ? ringRoom * scale : 1)
  return { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach }
}

const labelGap = (spot: Spot, scale: number): number => spot.r + (spot.cluster.level > 0 ? ringRoom : 0) * scale + 5

function labelRect(spot: Spot, side: LabelSide, font: number, scale: number): Rect {
  const width = clusterName(spot.cluster).length * font
  const height = font * 1.3
  const gap = labelGap(spot, scale)
  const { x, y } = spot
  const at: Record<LabelSide, readonly [number, number]> = {
    right: [x + gap, y - height / 2],
    left: [x - gap - width, y - height / 2],
    top: [x - width / 2, y - gap - height],
    bottom: [x - width / 2, y + gap],
  }
  const [left, top] = at[side]
  return { left, top, right: left + width, bottom: top + height }
}

const sides: readonly LabelSide[] = ['right', 'top', 'left', 'bottom']

/** A name that would cover another cluster or name is left out; pointing at the cluster still tells it. */
export function named(spots: readonly Spot[], font: number, scale = 1): NamedSpot[] {
  const taken = spots.map((spot) => around(spot, scale))
  return spots.map((spot, index) => {
    if (!spot.cluster.name) return { ...spot, label: undefined }
    const side = sides.find((one) => {
      const rect = labelRect(spot, one, font, scale)
      return taken.every((other, nth) => nth === index || !overlap(rect, other))
    })
    if (side) taken.push(labelRect(spot, side, font, scale))
    return { ...spot, label: side }
  })
}
