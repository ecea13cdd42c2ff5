import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeCanvas, pathPoints } from './stroke-picture.ts'

/** The pixel of a picture without filters, as this writer makes them. */
function pixelOf(png: Buffer, x: number, y: number): number[] {
  const width = png.readUInt32BE(16)
  const at = png.indexOf('IDAT') + 4
  const rows = inflateSync(png.subarray(at, at + png.readUInt32BE(at - 8)))
  const start = y * (1 + 3 * width) + 1 + 3 * x
  return [...rows.subarray(start, start + 3)]
}

test('a path is its points, curves in steps that end where they should', () => {
  expect(pathPoints('M0 16 L5 0 L10 16 M2 10 L8 10')).toEqual([
    [
      [0, 16],
      [5, 0],
      [10, 16],
    ],
    [
      [2, 10],
      [8, 10],
    ],
  ])
  const [curve = []] = pathPoints('M0 0 Q4 8 8 0')
  expect(curve.at(-1)).toEqual([8, 0])
  expect(curve[8]).toEqual([4, 4])
})

test('a stroke covers what lies within half its thickness, and its pieces do not darken each other', () => {
  const canvas = makeCanvas(20, 10, [255, 255, 255])
  const back = pathPoints('M2 5 L18 5 L2 5')
  canvas.stroke(back, { colour: [0, 0, 100], thickness: 4, opacity: 0.5 })
  const png = canvas.png()
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([20, 10])
  expect(pixelOf(png, 10, 4)).toEqual([128, 128, 178])
  expect(pixelOf(png, 10, 0)).toEqual([255, 255, 255])
  expect(pixelOf(png, 19, 9)).toEqual([255, 255, 255])
})

test('what leads out of the picture is cut off', () => {
  const canvas = makeCanvas(4, 4, [255, 255, 255])
  canvas.stroke(pathPoints('M-50 2 L50 2'), { colour: [0, 0, 0], thickness: 2, opacity: 1 })
  expect(pixelOf(canvas.png(), 3, 1)).toEqual([0, 0, 0])
})
