import { expect, test } from 'vitest'
import { paletteVariables } from '../../../build/palette-sheet.ts'
import { chartPalette, surfaces } from './palette.ts'
import { makeTheme } from './theme.ts'

const channel = (part: string) => {
  const value = Number.parseInt(part, 16) / 255
  return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const luminance = (hex: string) =>
  0.2126 * channel(hex.slice(1, 3)) + 0.7152 * channel(hex.slice(3, 5)) + 0.0722 * channel(hex.slice(5, 7))
const contrast = (a: string, b: string) => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

test('both themes define the same variables', () => {
  expect([...paletteVariables('dark').keys()]).toEqual([...paletteVariables('light').keys()])
})

test.each(['light', 'dark'] as const)('every text of the %s theme reaches 4.5:1 on its ground', (theme) => {
  const c = surfaces[theme]
  const pairs: [string, string][] = [
    ...[c.text, c.secondary, c.tertiary, c.link].flatMap((text): [string, string][] => [
      [text, c.container],
      [text, c.layout],
      [text, c.head],
    ]),
    // Placeholders stand in controls only, also in those that are not to be used yet.
    [c.placeholder, c.container],
    [c.placeholder, c.fill],
    [c.ok, c.okFill],
    [c.error, c.errorFill],
    [c.warning, c.warningFill],
    [c.ok, c.container],
    [c.error, c.container],
    [c.warning, c.container],
    [c.secondary, c.fill],
    [c.link, c.tint],
    ['#FFFFFF', c.primary],
  ]
  for (const [text, ground] of pairs) expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
})

test.each(['light', 'dark'] as const)('chart lines of the %s theme stand out from the ground (3:1)', (theme) => {
  for (const colour of chartPalette[theme]) {
    expect(contrast(colour, surfaces[theme].container)).toBeGreaterThanOrEqual(3)
  }
})

test('spec 3: the primary colour is #2F54EB', () => {
  expect(makeTheme({ dark: false, compact: false }).token?.colorPrimary).toBe('#2F54EB')
})

test('the key of the CSS variables is never a single letter', () => {
  for (const dark of [true, false]) {
    const { cssVar } = makeTheme({ dark, compact: false })
    expect(typeof cssVar === 'object' && (cssVar.key?.length ?? 0) > 1).toBe(true)
  }
})

test('controls are as high as a finger needs on a phone, whatever the density', () => {
  expect(makeTheme({ dark: false, compact: true, phone: true }).token?.controlHeight).toBe(40)
  expect(makeTheme({ dark: false, compact: true }).token?.controlHeight).toBe(28)
  expect(makeTheme({ dark: false, compact: false }).token?.controlHeight).toBe(32)
})

test.each([false, true])('the chosen item of a segmented control is lighter than its track (dark: %s)', (dark) => {
  const { trackBg = '', itemSelectedBg = '' } = makeTheme({ dark, compact: false }).components?.Segmented ?? {}
  expect(luminance(itemSelectedBg)).toBeGreaterThan(luminance(trackBg))
})
