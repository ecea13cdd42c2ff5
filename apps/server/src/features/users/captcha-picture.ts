/**
 * Draws the captcha as a PNG: strokes of our own, turned, shifted and crossed by noise, so that no font is needed. Not as
 * SVG, in which each letter could be read off its path.
 */
import { randomInt } from 'node:crypto'
import { type Colour, makeCanvas, type Point, pathPoints } from './stroke-picture.ts'

export const captchaLength = 4
const width = 130
const height = 40

/** Strokes on a 10 x 16 grid; look-alikes (0 O, 1 I L, 5 S, 8 B) are left out. */
const strokes: Record<string, string> = {
  '2': 'M1 4 Q1 0 5 0 Q9 0 9 4 Q9 7 1 16 L9 16',
  '3': 'M1 1 Q9 -1 9 4 Q9 8 4 8 Q9 8 9 12 Q9 17 1 15',
  '4': 'M7 16 L7 0 L1 11 L10 11',
  '6': 'M8 1 Q1 2 1 11 Q1 16 5 16 Q9 16 9 11 Q9 7 5 7 Q1 7 1 11',
  '7': 'M1 0 L9 0 L4 16',
  '9': 'M9 5 Q9 0 5 0 Q1 0 1 5 Q1 9 5 9 Q9 9 9 5 Q9 14 3 16',
  A: 'M0 16 L5 0 L10 16 M2 10 L8 10',
  C: 'M9 3 Q7 0 4 0 Q0 2 0 8 Q0 14 4 16 Q7 16 9 13',
  E: 'M9 0 L1 0 L1 16 L9 16 M1 8 L7 8',
  F: 'M9 0 L1 0 L1 16 M1 8 L7 8',
  H: 'M1 0 L1 16 M9 0 L9 16 M1 8 L9 8',
  J: 'M8 0 L8 12 Q8 16 4 16 Q1 16 1 12',
  K: 'M1 0 L1 16 M9 0 L1 9 L9 16',
  M: 'M0 16 L1 0 L5 10 L9 0 L10 16',
  N: 'M1 16 L1 0 L9 16 L9 0',
  P: 'M1 16 L1 0 Q9 -1 9 4 Q9 9 1 8',
  R: 'M1 16 L1 0 Q9 -1 9 4 Q9 9 1 8 M4 8 L9 16',
  T: 'M0 0 L10 0 M5 0 L5 16',
  U: 'M1 0 L1 11 Q1 16 5 16 Q9 16 9 11 L9 0',
  V: 'M0 0 L5 16 L10 0',
  W: 'M0 0 L2 16 L5 5 L8 16 L10 0',
  X: 'M0 0 L10 16 M10 0 L0 16',
  Y: 'M0 0 L5 8 L10 0 M5 8 L5 16',
}
const alphabet = Object.keys(strokes)
const background: Colour = [0xf0, 0xf3, 0xfb]
const inks: Colour[] = [
  [0x2f, 0x54, 0xeb],
  [0x1d, 0x24, 0x35],
  [0x3b, 0x4a, 0x8c],
  [0x0b, 0x5a, 0x6b],
]
/** Pixels for each unit, so that the picture is sharp on fine screens too. */
const zoom = 2

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T
const between = (low: number, high: number): number => low + (randomInt(1000) / 1000) * (high - low)

interface Stroke {
  lines: Point[][]
  thickness: number
  opacity: number
}

function glyph(character: string, index: number): Stroke {
  const left = 14 + index * 28 + between(-3, 3)
  const top = 10 + between(-3, 4)
  const turn = (between(-24, 24) * Math.PI) / 180
  const scale = between(1.05, 1.4)
  const place = ([x, y]: Point): Point => {
    // Turned around the middle of the grid.
    const [dx, dy] = [x * scale - 5, y * scale * 0.95 - 8]
    return [left + 5 + dx * Math.cos(turn) - dy * Math.sin(turn), top + 8 + dx * Math.sin(turn) + dy * Math.cos(turn)]
  }
  const lines = pathPoints(strokes[character] ?? '').map((line) => line.map(place))
  return { lines, thickness: between(1.5, 2.1) * scale, opacity: 1 }
}

function wave(): Stroke {
  const y = () => between(6, height - 6)
  const path = `M0 ${y()} C${width / 3} ${y()} ${(2 * width) / 3} ${y()} ${width} ${y()}`
  return { lines: pathPoints(path), thickness: 1.2, opacity: 0.5 }
}

function dot(): Stroke {
  const at: Point = [between(0, width), between(0, height)]
  return { lines: [[at, at]], thickness: between(1.2, 2.8), opacity: 0.45 }
}

export const randomAnswer = (): string => Array.from({ length: captchaLength }, () => pick(alphabet)).join('')

/** A `data:image/png;base64,…` address, as existing consoles put it into an img (http-api.md 2.2). */
export function drawCaptcha(answer: string): string {
  const canvas = makeCanvas(width * zoom, height * zoom, background)
  const all = [...Array.from({ length: 40 }, dot), ...[...answer].map(glyph), ...Array.from({ length: 3 }, wave)]
  for (const { lines, thickness, opacity } of all) {
    const scaled = lines.map((line) => line.map(([x, y]): Point => [x * zoom, y * zoom]))
    canvas.stroke(scaled, { colour: pick(inks), thickness: thickness * zoom, opacity })
  }
  return `data:image/png;base64,${canvas.png().toString('base64')}`
}
