/** The grid of the map: level n has 2^n columns around the world, squares in degrees. Level 10 is kept (home_cell). */
export const baseLevel = 10
export const baseColumns = 2 ** baseLevel
/** At zoom 0 the world is 256 pixels wide: cells two levels finer are 64 pixels, about the size of a cluster's ring. */
const finer = 2
/** As many clusters as an answer may have. */
const mostCells = 2_000

/** West, south, east, north. */
export type Box = readonly [number, number, number, number]
export interface Place {
  longitude: number
  latitude: number
}
/** Columns and rows, both ends included. */
export interface CellRange {
  west: number
  south: number
  east: number
  north: number
}

const sizeOf = (level: number) => 360 / 2 ** level
export const columnOf = (longitude: number, level: number): number =>
  Math.min(2 ** level - 1, Math.floor((longitude + 180) / sizeOf(level)))
export const rowOf = (latitude: number, level: number): number =>
  Math.min(Math.max(0, 2 ** level / 2 - 1), Math.floor((latitude + 90) / sizeOf(level)))

/** Of a cell of level 10. */
export const middleOf = ({ x, y }: { x: number; y: number }): Place => ({
  longitude: (x + 0.5) * sizeOf(baseLevel) - 180,
  latitude: (y + 0.5) * sizeOf(baseLevel) - 90,
})

/** Whole cells, so that a cluster at the edge has the same figures when the map moves. Across the date line: two. */
export function rangesOf([west, south, east, north]: Box, level: number): CellRange[] {
  const rows = { south: rowOf(south, level), north: rowOf(north, level) }
  const range = (from: number, to: number) => ({ ...rows, west: columnOf(from, level), east: columnOf(to, level) })
  return west <= east ? [range(west, east)] : [range(west, 180), range(-180, east)]
}

const cellsIn = (ranges: CellRange[]): number =>
  ranges.reduce((sum, one) => sum + (one.east - one.west + 1) * (one.north - one.south + 1), 0)

/** By the zoom, coarser when the box would have too many cells. */
export function levelFor(box: Box, zoom: number): number {
  let level = zoom + finer
  while (level > 0 && cellsIn(rangesOf(box, level)) > mostCells) level--
  return level
}

/** Degrees of a range of cells: west and south belong to it, east and north do not. */
export const degreesOf = ({ west, south, east, north }: CellRange, level: number) => ({
  west: west * sizeOf(level) - 180,
  south: south * sizeOf(level) - 90,
  // The last column and row hold the edge of the world too.
  east: east === 2 ** level - 1 ? 181 : (east + 1) * sizeOf(level) - 180,
  north: north >= 2 ** level / 2 - 1 ? 91 : (north + 1) * sizeOf(level) - 90,
})
