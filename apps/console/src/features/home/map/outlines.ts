/** The bundled outlines on the flat map, as drawing commands: no request leaves the installation (decisions.md 4.5). */
import { feature } from 'topojson-client'
import world from 'world-atlas/countries-110m.json'
import china from '#kit/map/china-provinces.json'
import { mergeOutlines, type PackedCollection, unpackOutlines } from '#kit/map/decode-outlines.ts'
import { type Degrees, type Flat, project } from './albers.ts'
import { diaoyuIslands, southSea } from './south-sea.ts'

type Topology = Parameters<typeof feature>[0]
type Countries = Parameters<typeof mergeOutlines>[1]

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

type Shape = ReturnType<typeof mergeOutlines>['features'][number]

const shapePath = ({ geometry }: Shape): string =>
  (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates).flat().map(ringPath).join('')

const topology = world as unknown as Topology
const { features: countries } = feature(topology, topology.objects.countries as never) as unknown as {
  features: Countries
}
const provinces = unpackOutlines(china as unknown as PackedCollection)
const names = new Set(provinces.map(({ properties }) => properties.name))

/** The neighbours, dimmer than the country. */
export const worldPath: string = mergeOutlines(provinces, countries)
  .features.filter(({ properties }) => !names.has(properties.name))
  .map(shapePath)
  .join('')

export const provincePaths: readonly string[] = [...provinces.map(shapePath), ringPath(diaoyuIslands)]
/** The islands of the South China Sea in their frame, as every map of the country shows them. */
export const southSeaPath: string = southSea.map(flatPath).join('')
