/** The palette as variables for our own style sheets, so that every colour stands once. */
import type { Plugin } from 'vite'
import { chartPalette, levelPalette, surfaces } from '../src/kit/theme/palette.ts'

type Theme = 'light' | 'dark'

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const numbered = (colours: readonly string[], nameOf: (number: number) => string) =>
  colours.map((colour, at) => [nameOf(at + 1), colour] as const)

export const paletteVariables = (theme: Theme): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(surfaces[theme]).map(([name, value]) => [kebab(name), value] as const),
    ...numbered(levelPalette[theme].text, (level) => `level-${level}`),
    ...numbered(levelPalette[theme].fill, (level) => `level-${level}-fill`),
    ...numbered(chartPalette[theme], (number) => `chart-${number}`),
  ])

const block = (selector: string, theme: Theme) =>
  `${selector}{color-scheme:${theme};${[...paletteVariables(theme)].map(([name, value]) => `--${name}:${value}`).join(';')}}`

const sheetFile = /[\\/]kit[\\/]theme[\\/]tokens\.css$/

export const paletteSheet = (): Plugin => ({
  name: 'ithings:palette-sheet',
  load: {
    filter: { id: sheetFile },
    // Dark is not of the root alone: the large screen is dark in both themes.
    handler: () => `${block(':root[data-theme="light"]', 'light')}\n${block('[data-theme="dark"]', 'dark')}`,
  },
})
