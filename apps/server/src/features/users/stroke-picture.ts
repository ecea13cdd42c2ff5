/** Strokes on a plain ground as a PNG. A pixel is covered as far as it lies within half the thickness of a line. */
import { crc32, deflateSync } from 'node:zlib'

export type Point = readonly [x: number, y: number]
export type Colour = readonly [red: number, green: number, blue: number]

export interface Pen {
  colour: Colour
  thickness: number
  /** 0 to 1. */
  opacity: number
}

const curveSteps = 16

/** A point of the Bézier curve through its first and last control point (de Casteljau). */
function onCurve(controls: Point[], t: number): Point {
  const [first = [0, 0], ...rest] = controls
  if (rest.length === 0) return first
  const mixed = rest.map(([x, y], i): Point => {
    const [px, py] = controls[i] ?? first
    return [px + (x - px) * t, py + (y - py) * t]
  })
  return onCurve(mixed, t)
}

/** The lines of an SVG path of absolute M, L, Q and C commands with one target each. */
export function pathPoints(path: string): Point[][] {
  const lines: Point[][] = []
  for (const [, command, numbers = ''] of path.matchAll(/([MLQC])([^MLQC]*)/g)) {
    const values = numbers.trim().split(/\s+/).map(Number)
    const points = Array.from(
      { length: values.length / 2 },
      (_, i): Point => [values[2 * i] ?? 0, values[2 * i + 1] ?? 0],
    )
    const line = lines.at(-1)
    const from = line?.at(-1)
    if (command === 'M' || !line || !from) lines.push(points)
    else if (command === 'L') line.push(...points)
    else for (let step = 1; step <= curveSteps; step++) line.push(onCurve([from, ...points], step / curveSteps))
  }
  return lines
}

/** How far a place lies from the line between two points. */
function distance(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const dx = bx - ax
  const dy = by - ay
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length))
  const awayX = x - ax - along * dx
  const awayY = y - ay - along * dy
  return Math.sqrt(awayX * awayX + awayY * awayY)
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function makeCanvas(width: number, height: number, ground: Colour) {
  /** One byte says that a row is not filtered, then come red, green and blue of each pixel. */
  const rowBytes = 1 + 3 * width
  const rows = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y++) rows.fill(Buffer.from(ground), y * rowBytes + 1, (y + 1) * rowBytes)

  /** Of the stroke that is being drawn: where its pieces overlap it must not become darker. */
  const covered = new Float32Array(width * height)
  let touched: number[] = []

  function cover(a: Point, b: Point, radius: number): void {
    const reach = radius + 1
    const left = Math.max(0, Math.floor(Math.min(a[0], b[0]) - reach))
    const right = Math.min(width - 1, Math.ceil(Math.max(a[0], b[0]) + reach))
    const bottom = Math.min(height - 1, Math.ceil(Math.max(a[1], b[1]) + reach))
    for (let y = Math.max(0, Math.floor(Math.min(a[1], b[1]) - reach)); y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const share = Math.min(1, radius + 0.5 - distance(x + 0.5, y + 0.5, a, b))
        const at = y * width + x
        const before = covered[at] ?? 0
        if (share <= before) continue
        if (before === 0) touched.push(at)
        covered[at] = share
      }
    }
  }

  return {
    stroke(lines: Point[][], { colour, thickness, opacity }: Pen): void {
      for (const line of lines)
        for (const [i, point] of line.slice(1).entries()) cover(line[i] ?? point, point, thickness / 2)
      for (const at of touched) {
        const share = (covered[at] ?? 0) * opacity
        covered[at] = 0
        const start = Math.floor(at / width) * rowBytes + 1 + 3 * (at % width)
        for (let channel = 0; channel < 3; channel++) {
          const below = rows[start + channel] ?? 0
          rows[start + channel] = Math.round(below + ((colour[channel] ?? 0) - below) * share)
        }
      }
      touched = []
    },
    png(): Buffer {
      const head = Buffer.alloc(13)
      head.writeUInt32BE(width, 0)
      head.writeUInt32BE(height, 4)
      // 8 bits a channel, true colour, the only known compression and filter, not interlaced.
      head.set([8, 2, 0, 0, 0], 8)
      return Buffer.concat([
        signature,
        chunk('IHDR', head),
        chunk('IDAT', deflateSync(rows)),
        chunk('IEND', Buffer.alloc(0)),
      ])
    },
  }
}
