/** The whole menu as a tree: building, searching and what may lie under what. Pure. */

import { type Menu, MenuType, rootMenuID } from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'

export interface MenuNode extends Menu {
  /** Absent on leaves, so that tables draw no expander for them. */
  children?: MenuNode[]
}

export interface MenuSearch {
  name?: string | undefined
  path?: string | undefined
}

export const byOrder = (a: Menu, b: Menu): number => a.order - b.order || a.id - b.id

/** Sorted by order, nested by parentID (spec 2). Rows of a lost or circular parent stay visible at the top. */
export function buildTree(list: readonly Menu[]): MenuNode[] {
  const byID = new Map(list.map((menu) => [menu.id, menu]))
  const reachesRoot = (menu: Menu): boolean => {
    const seen = new Set([menu.id])
    for (let up = byID.get(menu.parentID); up; up = byID.get(up.parentID)) {
      if (seen.has(up.id)) return false
      seen.add(up.id)
    }
    return true
  }
  const parentOf = (menu: Menu) => (byID.has(menu.parentID) && reachesRoot(menu) ? menu.parentID : rootMenuID)
  const groups = Map.groupBy(list, parentOf)
  const nodesOf = (parent: number): MenuNode[] =>
    (groups.get(parent) ?? []).toSorted(byOrder).map((menu) => {
      const children = nodesOf(menu.id)
      return children.length > 0 ? { ...menu, children } : { ...menu }
    })
  return nodesOf(rootMenuID)
}

export const flatten = (tree: readonly MenuNode[]): MenuNode[] =>
  tree.flatMap((node) => [node, ...flatten(node.children ?? [])])

const contains = (text: string, part: string | undefined) =>
  !part || text.toLowerCase().includes(part.trim().toLowerCase())

export const isSearching = (search: MenuSearch): boolean => Boolean(search.name?.trim() || search.path?.trim())

export const matches = (menu: Menu, search: MenuSearch): boolean =>
  contains(menu.name, search.name) && contains(menu.path, search.path)

/** Nested matches keep the way to them: their ancestors stay, other branches go (screens.md 14). */
export function searchTree(tree: readonly MenuNode[], search: MenuSearch): MenuNode[] {
  if (!isSearching(search)) return [...tree]
  return tree.flatMap(({ children: below, ...menu }) => {
    const children = searchTree(below ?? [], search)
    if (children.length > 0) return [{ ...menu, children }]
    return matches(menu, search) ? [menu] : []
  })
}

/** The entry and everything under it: none of them may become its parent. */
export function familyOf(tree: readonly MenuNode[], id: number): Set<number> {
  const node = flatten(tree).find((one) => one.id === id)
  return new Set(node ? flatten([node]).map((one) => one.id) : [id])
}

export interface ParentOption {
  value: number
  title: string
  icon: string
  disabled: boolean
  children: ParentOption[]
}

/** Choices for the parent: by id, the entry itself, its descendants and buttons greyed out (no cycles). */
export function parentOptions(tree: readonly MenuNode[], self: number | undefined): ParentOption[] {
  const family = self === undefined ? new Set<number>() : familyOf(tree, self)
  const optionsOf = (nodes: readonly MenuNode[]): ParentOption[] =>
    nodes.map((node) => ({
      value: node.id,
      title: node.name,
      icon: node.icon,
      disabled: family.has(node.id) || node.type === MenuType.button,
      children: optionsOf(node.children ?? []),
    }))
  return [{ value: rootMenuID, title: t('顶级菜单'), icon: '', disabled: false, children: optionsOf(tree) }]
}

const siblingsOf = (list: readonly Menu[], parentID: number) => list.filter((menu) => menu.parentID === parentID)

/** A new entry goes behind its siblings. */
export const nextOrder = (list: readonly Menu[], parentID: number): number =>
  Math.max(0, ...siblingsOf(list, parentID).map((menu) => menu.order)) + 1

/** Two pages cannot share one path: the entry that has it already. */
export const pathOwner = (list: readonly Menu[], path: string, self: number | undefined): Menu | undefined =>
  list.find((menu) => menu.type === MenuType.page && menu.path === path && menu.id !== self)
