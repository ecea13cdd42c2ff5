/** What a save would change, in names: shown before it is done. Pure. */

import type { Api } from '@ithings/contract/features/apis.ts'
import type { Menu } from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'
import { apiKeyOf, parseApiKey } from './api-selection.ts'

export interface Rights {
  menus: ReadonlySet<number>
  apis: ReadonlySet<string>
}

export interface Change {
  added: string[]
  removed: string[]
}

export interface RightsDiff {
  menus: Change
  apis: Change
}

const missingIn = <T>(from: ReadonlySet<T>, other: ReadonlySet<T>): T[] => [...from].filter((one) => !other.has(one))

export const sameSet = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  a.size === b.size && missingIn(a, b).length === 0

export const sameRights = (a: Rights, b: Rights): boolean => sameSet(a.menus, b.menus) && sameSet(a.apis, b.apis)

export function diffRights(stored: Rights, wanted: Rights, menus: readonly Menu[], apis: readonly Api[]): RightsDiff {
  const menuNames = new Map(menus.map((menu) => [menu.id, menu.name]))
  const apiNames = new Map(apis.map((api) => [apiKeyOf(api), `${api.group} / ${api.name}`]))
  const menuName = (id: number) => menuNames.get(id) ?? t('菜单 {id}', { id })
  const apiName = (key: string) => apiNames.get(key) ?? parseApiKey(key).route
  return {
    menus: {
      added: missingIn(wanted.menus, stored.menus).map(menuName),
      removed: missingIn(stored.menus, wanted.menus).map(menuName),
    },
    apis: {
      added: missingIn(wanted.apis, stored.apis).map(apiName),
      removed: missingIn(stored.apis, wanted.apis).map(apiName),
    },
  }
}

export const countAdded = ({ menus, apis }: RightsDiff): number => menus.added.length + apis.added.length
export const countRemoved = ({ menus, apis }: RightsDiff): number => menus.removed.length + apis.removed.length
