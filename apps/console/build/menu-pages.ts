/** The pages of the menu as the route table has them, each for who reads Chinese and who reads English: all are weighed. */
import type { Budget } from './budget.ts'

interface MenuScreen {
  module: string
  /** Whose texts it waits for; `later` is a shelf. */
  rooms: string[]
}

const row = /\n {2}\{\n[\s\S]*?\n {2}\},/g
const loaded = /withTexts\(\s*(\[[^\]]*\]|'[^']*'),\s*import\('#(features\/[^']+)'\)/

/** Rows without a `parent` are pages of the menu; what fills the whole room is none of its lists. */
export function menuScreens(routes: string): MenuScreen[] {
  return [...routes.matchAll(row)].flatMap(([text]) => {
    const [, rooms, module] = loaded.exec(text) ?? []
    if (!rooms || !module || /\n {4}(parent: |bare: )/.test(text)) return []
    return { module: `src/${module}`, rooms: [...rooms.matchAll(/'([^']+)'/g)].map(([, room = '']) => room) }
  })
}

/** @param frame what comes with every page @param texts what comes with every page in English */
export function menuPages(
  routes: string,
  {
    frame,
    texts,
    limits,
  }: { frame: readonly string[]; texts: readonly string[]; limits: Omit<Budget, 'page' | 'modules'> },
): Budget[] {
  return menuScreens(routes).flatMap(({ module, rooms }): Budget[] => {
    const own = rooms.map((room) =>
      room === 'later' ? 'src/language/shelves/later.ts' : `src/features/${room}/en.json`,
    )
    const inEnglish = { page: `${module} in English`, modules: [...frame, module, ...texts, ...own] }
    return [
      { ...limits, page: module, modules: [...frame, module] },
      { ...limits, ...inEnglish, files: limits.files + texts.length + own.length },
    ]
  })
}
