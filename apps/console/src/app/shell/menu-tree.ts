/** The menu from server data (spec 2): sorted by order, nested by parentID, hidden with hideInMenu 1. Pure. */
import { HideInMenu, type Menu, MenuType, rootMenuID } from '@ithings/contract/features/menus.ts'
import { isAdminPath } from '#kit/paths.ts'
import { canAdmin } from '../session/access.ts'
import { menuName } from './menu-names.ts'

export interface MenuNode {
  id: number
  name: string
  path: string
  icon: string
  /** Groups entries only: it names no page. */
  directory: boolean
  /** Not drawn, but known: its path is permitted and has a name. */
  hidden: boolean
  children: MenuNode[]
}

/** Without those whose list the role may not read; a detail goes with its list. */
export function readableEntries<T extends { path: string }>(
  entries: readonly T[],
  screens: readonly { path: string; reads?: string; parent?: string }[],
  withheld: readonly string[],
): T[] {
  const closed = ({ reads }: { reads?: string }) => reads !== undefined && withheld.includes(reads)
  const lists = new Set(screens.filter(closed).map(({ path }) => path))
  const rows = screens.filter(({ path, parent }) => lists.has(path) || (parent !== undefined && lists.has(parent)))
  const paths = new Set(rows.map(({ path }) => path))
  return entries.filter(({ path }) => !paths.has(path))
}

const byOrder = (a: Menu, b: Menu) => a.order - b.order || a.id - b.id

export function buildMenuTree(entries: readonly Menu[], info: { role: number }): MenuNode[] {
  const admin = canAdmin(info)
  const usable = entries.filter((entry) => entry.type !== MenuType.button && (admin || !isAdminPath(entry.path)))
  const known = new Set(usable.map((entry) => entry.id))
  const placed = new Set<number>()
  const childrenOf = (parent: number): MenuNode[] =>
    usable
      .filter((entry) => (known.has(entry.parentID) ? entry.parentID : rootMenuID) === parent && !placed.has(entry.id))
      .sort(byOrder)
      .map((entry) => {
        // Each entry once: rows that name each other as parents must not hang the page.
        placed.add(entry.id)
        return {
          id: entry.id,
          name: menuName(entry),
          path: entry.path,
          icon: entry.icon,
          directory: entry.type === MenuType.directory && entry.component === '',
          hidden: entry.hideInMenu === HideInMenu.hide,
          children: childrenOf(entry.id),
        }
      })
  return childrenOf(rootMenuID)
}

/** What is drawn: a hidden entry takes its children along, and a group with nothing to show goes too. */
export function visibleNodes(tree: readonly MenuNode[], hasScreen: (path: string) => boolean): MenuNode[] {
  return tree.flatMap((node) => {
    if (node.hidden) return []
    const children = visibleNodes(node.children, hasScreen)
    const group = node.directory || node.children.length > 0
    return children.length > 0 || !group || hasScreen(node.path) ? [{ ...node, children }] : []
  })
}

export interface MenuScreen {
  name: string
  path: string
  /** Names of the groups above it. */
  group: string
}

/** The entries that lead somewhere, with the groups they stand in. */
export function menuScreens(
  visible: readonly MenuNode[],
  hasScreen: (path: string) => boolean,
  above: readonly string[] = [],
): MenuScreen[] {
  return visible.flatMap((node) => [
    ...(hasScreen(node.path) ? [{ name: node.name, path: node.path, group: above.join(' / ') }] : []),
    ...menuScreens(node.children, hasScreen, [...above, node.name]),
  ])
}

export function permittedPaths(tree: readonly MenuNode[]): Set<string> {
  return new Set(tree.flatMap((node) => [...(node.path ? [node.path] : []), ...permittedPaths(node.children)]))
}

/** The nodes from the top to the one with this path; empty when the menu does not know it. */
export function trailTo(tree: readonly MenuNode[], path: string): MenuNode[] {
  for (const node of tree) {
    const below = trailTo(node.children, path)
    if (below.length > 0) return [node, ...below]
    if (node.path === path) return [node]
  }
  return []
}

/** decisions.md 2 "Menus before their screens": the product list once it exists, else the first permitted entry. */
export function landingPath(
  visible: readonly MenuNode[],
  permitted: ReadonlySet<string>,
  hasScreen: (path: string) => boolean,
  preferred: string,
): string | undefined {
  if (permitted.has(preferred) && hasScreen(preferred)) return preferred
  for (const node of visible) {
    if (hasScreen(node.path)) return node.path
    const below = landingPath(node.children, permitted, hasScreen, preferred)
    if (below) return below
  }
  return undefined
}
