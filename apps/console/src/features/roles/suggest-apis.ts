/**
 * Which APIs a menu entry usually needs (screens.md 13 "linked suggestion"). Derived from names and paths, so it is
 * an offer and never applied by itself. Pure.
 */
import type { Api } from '@ithings/contract/features/apis.ts'
import { type Menu, MenuType } from '@ithings/contract/features/menus.ts'
import { apiKeyOf } from './api-selection.ts'

export interface Suggestion {
  menu: Menu
  apis: Api[]
}

/** 用户管理, 用户列表 and 用户 name the same feature. */
const stem = (name: string): string => name.trim().replace(/(管理|列表|配置|设置)$/, '') || name.trim()

// Words of console paths that name no feature of the API.
const noFeature = new Set(['index', 'detail', 'save', 'create'])

const words = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !noFeature.has(word))

/** /systemMangers/log/loginLog/index -> system; log, login. Singular and plural, config and configuration agree. */
function featureOf(path: string): { area: string; words: string[] } {
  const [area = '', ...rest] = path.split('/').filter((part) => part !== '' && !part.startsWith(':'))
  return { area: /^system/i.test(area) ? 'system' : 'things', words: [...new Set(rest.flatMap(words))] }
}

const shortest = 4
const sameWord = (a: string, b: string): boolean =>
  a === b ||
  a === `${b}s` ||
  b === `${a}s` ||
  (Math.min(a.length, b.length) >= shortest && (a.startsWith(b) || b.startsWith(a)))

function byRoute(menu: Menu, apis: readonly Api[]): Api[] {
  const feature = featureOf(menu.path)
  if (feature.words.length === 0) return []
  return apis.filter((api) => {
    const [, , area, ...parts] = api.route.split('/').filter((part) => part !== '')
    if (area !== feature.area) return false
    const named = words(parts.join('/'))
    return feature.words.every((wanted) => named.some((word) => sameWord(word, wanted)))
  })
}

/** The group of the same name, else of the same stem, else the routes that carry the words of the path. */
export function apisForMenu(menu: Menu, apis: readonly Api[]): Api[] {
  if (menu.path === '' || menu.type === MenuType.directory) return []
  const named = apis.filter((api) => api.group === menu.name)
  if (named.length > 0) return named
  const alike = apis.filter((api) => stem(api.group) === stem(menu.name))
  return alike.length > 0 ? alike : byRoute(menu, apis)
}

/** For each held menu entry the APIs it lacks; an API is offered once, with the first entry that wants it. */
export function suggestApis(
  menus: readonly Menu[],
  apis: readonly Api[],
  held: { menus: ReadonlySet<number>; apis: ReadonlySet<string> },
): Suggestion[] {
  const offered = new Set<string>(held.apis)
  return menus
    .filter((menu) => held.menus.has(menu.id))
    .flatMap((menu) => {
      const missing = apisForMenu(menu, apis).filter((api) => !offered.has(apiKeyOf(api)))
      for (const api of missing) offered.add(apiKeyOf(api))
      return missing.length > 0 ? [{ menu, apis: missing }] : []
    })
}
