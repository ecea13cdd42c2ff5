/** Draws the captcha as a PNG: strokes of our own, turned, shifted and crossed by noise, so that no font is needed. */
import { randomInt } from 'node:crypto'
import { Resvg } from '@resvg/resvg-js'

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
const inks = ['#2F54EB', '#1D2435', '#3B4A8C', '#0B5A6B']

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T
const between = (low: number, high: number): number => low + (randomInt(1000) / 1000) * (high - low)

function glyph(character: string, index: number): string {
  const x = 14 + index * 28 + between(-3, 3)
  const y = 10 + between(-3, 4)
  const turn = between(-24, 24)
  const scale = between(1.05, 1.4)
  return `<path d="${strokes[character]}" transform="translate(${x} ${y}) rotate(${turn} 5 8) scale(${scale} ${scale * 0.95})" fill="none" stroke="${pick(inks)}" stroke-width="${between(1.5, 2.1)}" stroke-linecap="round" stroke-linejoin="round"/>`
}

function wave(): string {
  const y = () => between(6, height - 6)
  return `<path d="M0 ${y()} C${width / 3} ${y()} ${(2 * width) / 3} ${y()} ${width} ${y()}" fill="none" stroke="${pick(inks)}" stroke-opacity="0.5" stroke-width="1.2"/>`
}

const dot = (): string =>
  `<circle cx="${between(0, width)}" cy="${between(0, height)}" r="${between(0.6, 1.4)}" fill="${pick(inks)}" fill-opacity="0.45"/>`

export const randomAnswer = (): string => Array.from({ length: captchaLength }, () => pick(alphabet)).join('')

/** A `data:image/png;base64,…` address, as existing consoles put it into an img (http-api.md 2.2). */
export function drawCaptcha(answer: string): string {
  const body = [...Array.from({ length: 40 }, dot), ...[...answer].map(glyph), ...Array.from({ length: 3 }, wave)].join(
    '',
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#F0F3FB"/>${body}</svg>`
  const png = new Resvg(svg, { fitTo: { mode: 'zoom', value: 2 }, font: { loadSystemFonts: false } }).render().asPng()
  return `data:image/png;base64,${png.toString('base64')}`
}
