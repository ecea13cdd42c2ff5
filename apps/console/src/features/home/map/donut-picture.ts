/** A cluster as a picture in an address, for maps that take nothing else. Numbers only: no text of a device is in it. */
import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { shortFigure } from '../figures.ts'
import { levelColour, stateColours } from '../look.ts'
import { radiusOf, ringRoom } from './place-clusters.ts'

export const donutSize = (cluster: HomeCluster, largest: number): number =>
  Math.round((radiusOf(cluster.total, largest) + ringRoom + 1) * 2)

export function donutPicture(cluster: HomeCluster, size: number): string {
  const middle = size / 2
  const r = middle - ringRoom - 3
  const round = 2 * Math.PI * r
  let from = 0
  const arcs = (['online', 'offline', 'inactive'] as const).map((state) => {
    const length = (cluster[state] / Math.max(1, cluster.total)) * round
    const arc = `<circle cx="${middle}" cy="${middle}" r="${r}" fill="none" stroke="${stateColours[state]}" stroke-width="4" stroke-dasharray="${length} ${round}" stroke-dashoffset="${-from}" transform="rotate(-90 ${middle} ${middle})"/>`
    from += length
    return length > 0 ? arc : ''
  })
  const ring =
    cluster.level > 0
      ? `<circle cx="${middle}" cy="${middle}" r="${middle - 1}" fill="none" stroke="${levelColour(cluster.level)}" stroke-width="1.5"/>`
      : ''
  const text =
    r >= 12
      ? `<text x="${middle}" y="${middle + 4}" text-anchor="middle" font-size="11" font-weight="600" fill="#E8EDFA">${shortFigure(cluster.total)}</text>`
      : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><circle cx="${middle}" cy="${middle}" r="${r}" fill="#0B1020"/>${arcs.join('')}${ring}${text}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
