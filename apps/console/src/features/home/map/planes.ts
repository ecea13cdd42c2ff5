/** The two flat maps: China with its neighbours, and the world. Pure. */
import type { MapScope } from '#kit/map/map-scope.ts'
import * as albers from './albers.ts'
import * as mercator from './mercator.ts'
import { southSeaEnd } from './south-sea.ts'

export interface Plane {
  scope: MapScope
  project(place: albers.Degrees): albers.Flat
  unproject(at: albers.Flat): albers.Degrees
  /** What the first view holds. */
  ends: readonly albers.Flat[]
  /** Pixels a unit: farther away there is nothing more to see. */
  leastScale: number
}

/** The ends of the country; the small map of its islands lies beside it. */
const chinaEnds: albers.Degrees[] = [
  [73.6, 39.4],
  [135, 48.4],
  [123.4, 53.5],
  [109.5, 18.2],
  [97.5, 23.9],
]
/** Where people live. */
const worldEnds: albers.Degrees[] = [
  [-168, 71],
  [180, -53],
]

const { project, unproject } = albers
export const planes: Record<MapScope, Plane> = {
  china: { scope: 'china', project, unproject, ends: [...chinaEnds.map(project), southSeaEnd], leastScale: 90 },
  world: {
    scope: 'world',
    project: mercator.project,
    unproject: mercator.unproject,
    ends: worldEnds.map(mercator.project),
    leastScale: 40,
  },
}
