/** Which catalogues a screen fetches for who reads English, as its row in src/app/routes.tsx says. */

const row = /withTexts\(\s*(\[[^\]]+\]|'[^']+'),\s*import\('#([^']+)'\)/g
const shelf = (name: string) => `src/language/shelves/${name}.ts`

/** As `loadTexts` of src/language/language.ts finds them. */
function fileOf(name: string): string {
  if (name === 'frame' || name === 'later') return shelf(name)
  const [room, part] = name.split('/')
  return `src/features/${room}/${part ? `en-${part}` : 'en'}.json`
}

/** @param routes the table of screens @returns module of a screen -> modules of its texts */
export const screenTexts = (routes: string): Map<string, string[]> =>
  new Map(
    [...routes.matchAll(row)].map(([, names = '', module = '']): [string, string[]] => [
      `src/${module}`,
      [...names.matchAll(/'([^']+)'/g)].map(([, name = '']) => fileOf(name)),
    ]),
  )
