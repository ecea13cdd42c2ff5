/** The bundled outlines, decoded once for every map: no request leaves the installation (decisions.md 4.5). */
import { feature } from 'topojson-client'
import world from 'world-atlas/countries-110m.json'
import china from './china-provinces.json'
import { mergeOutlines, type PackedCollection, unpackOutlines } from './decode-outlines.ts'

const topology = world as unknown as Parameters<typeof feature>[0]
const countries = feature(topology, topology.objects.countries as never) as unknown as {
  features: Parameters<typeof mergeOutlines>[1]
}

export const provinces = unpackOutlines(china as unknown as PackedCollection)
/** The provinces of China and the countries around them. */
export const outlines = mergeOutlines(provinces, countries.features)
