/** The islands of the South China Sea as a small map beside the country; points as Apache ECharts has them (Apache-2.0). */
import { type Flat, project } from './albers.ts'

/** Of the frame's upper left corner on the flat map, and how large one unit of the drawing is there. */
const [left, top] = project([122.6, 21.6])
const [across, down] = [0.00105, 0.00118]

/** Rings as pairs of x to the right and y downwards. */
const drawing = [
  '0,3.5 7,11.2 15,11.9 30,7 42,0.7 52,0.7 56,7.7 59,0.7 64,0.7 64,0 5,0 0,3.5',
  '13,16.1 19,14.7 16,21.7 11,23.1 13,16.1',
  '12,32.2 14,38.5 15,38.5 13,32.2 12,32.2',
  '16,47.6 12,53.2 13,53.2 18,47.6 16,47.6',
  '6,64.4 8,70 9,70 8,64.4 6,64.4',
  '23,82.6 29,79.8 30,79.8 25,82.6 23,82.6',
  '37,70.7 43,62.3 44,62.3 39,70.7 37,70.7',
  '48,51.1 51,45.5 53,45.5 50,51.1 48,51.1',
  '51,35 51,28.7 53,28.7 53,35 51,35',
  '52,22.4 55,17.5 56,17.5 53,22.4 52,22.4',
  '58,12.6 62,7 63,7 60,12.6 58,12.6',
  '0,3.5 0,93.1 64,93.1 64,0 63,0 63,92.4 1,92.4 1,3.5 0,3.5',
]

const flat = ([x = 0, y = 0]: readonly number[]): Flat => [left + x * across, top + y * down]

/** Rings on the flat map, upright however the country around them is bent. */
export const southSea: Flat[][] = drawing.map((ring) =>
  ring.split(' ').map((pair) => flat(pair.split(',').map(Number))),
)
/** Its far corner: the first view holds it. */
export const southSeaEnd: Flat = flat([64, 93.1])

const [west, east, lower, upper] = [123.4517, 123.4973, 25.7353, 25.7507]
export const diaoyuIslands: number[][] = [
  [west, lower],
  [east, lower],
  [east, upper],
  [west, upper],
  [west, lower],
]
