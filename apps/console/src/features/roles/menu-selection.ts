/**
 * Which menu entries a role holds. The stored ids are kept exactly as they are until somebody clicks
 * (screens.md 13: saving an untouched tree must not drop parents); every click keeps parents of what is held. Pure.
 */
import { type Menu, MenuType, rootMenuID } from '@ithings/contract/features/menus.ts'

export interface MenuNode {
  menu: Menu
  children: MenuNode[]
}

export type Ids = ReadonlySet<number>

const byOrder = (a: Menu, b: Menu) => a.order - b.order || a.id - b.id

/** Sorted by order and nested by parentID; an entry whose parent is missing stands at the top, each entry once. */
export function menuTree(entries: readonly Menu[]): MenuNode[] {
  const known = new Set(entries.map((entry) => entry.id))
  const placed = new Set<number>()
  const below = (parent: number): MenuNode[] =>
    entries
      .filter((entry) => (known.has(entry.parentID) ? entry.parentID : rootMenuID) === parent)
      .sort(byOrder)
      .flatMap((menu) => {
        // Rows that name each other as parents must not hang the page.
        if (placed.has(menu.id)) return []
        placed.add(menu.id)
        return [{ menu, children: below(menu.id) }]
      })
  return below(rootMenuID)
}

export const flatMenus = (nodes: readonly MenuNode[]): Menu[] =>
  nodes.flatMap((node) => [node.menu, ...flatMenus(node.children)])

/** Entries that match, with the way to them; the children of a match come along. */
export function searchMenus(nodes: readonly MenuNode[], keyword: string): MenuNode[] {
  const wanted = keyword.trim().toLowerCase()
  if (wanted === '') return [...nodes]
  return nodes.flatMap((node) => {
    const { name, path } = node.menu
    if (name.toLowerCase().includes(wanted) || path.toLowerCase().includes(wanted)) return [node]
    const children = searchMenus(node.children, keyword)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}

/** checked: the entry and all below it are held; half: some of them. */
export function checkStates(nodes: readonly MenuNode[], held: Ids): { checked: number[]; half: number[] } {
  const checked: number[] = []
  const half: number[] = []
  const visit = (node: MenuNode): 'all' | 'some' | 'none' => {
    const own = held.has(node.menu.id)
    const below = node.children.map(visit)
    const all = own && below.every((state) => state === 'all')
    const some = own || below.some((state) => state !== 'none')
    if (all) checked.push(node.menu.id)
    else if (some) half.push(node.menu.id)
    return all ? 'all' : some ? 'some' : 'none'
  }
  for (const node of nodes) visit(node)
  return { checked, half }
}

const find = (nodes: readonly MenuNode[], id: number): MenuNode | undefined => {
  for (const node of nodes) {
    const hit = node.menu.id === id ? node : find(node.children, id)
    if (hit) return hit
  }
  return undefined
}

const wayTo = (nodes: readonly MenuNode[], id: number): MenuNode[] => {
  for (const node of nodes) {
    if (node.menu.id === id) return [node]
    const way = wayTo(node.children, id)
    if (way.length > 0) return [node, ...way]
  }
  return []
}

/**
 * One click. `shown` is the tree as searched: only what is seen is taken or given away,
 * so a hidden entry below keeps its parents.
 */
export function toggleMenu(
  all: readonly MenuNode[],
  shown: readonly MenuNode[],
  held: Ids,
  id: number,
  on: boolean,
): Set<number> {
  const node = find(shown, id)
  if (!node) return new Set(held)
  const way = wayTo(all, id).slice(0, -1)
  const touched = flatMenus([node]).map((menu) => menu.id)
  if (on) return new Set([...held, ...touched, ...way.map((parent) => parent.menu.id)])

  const next = new Set([...held].filter((one) => !touched.includes(one)))
  for (const one of touched) {
    const inside = find(all, one)
    if (inside && flatMenus(inside.children).some((menu) => next.has(menu.id))) next.add(one)
  }
  // An empty group shows nothing: it goes with its last entry. A page above stays, it is a screen of its own.
  for (const parent of way.reverse()) {
    const empty = !parent.children.some((child) => next.has(child.menu.id))
    if (empty && parent.menu.type === MenuType.directory) next.delete(parent.menu.id)
  }
  return next
}

/** 全选 and 清空 of what is shown. */
export const toggleShown = (
  all: readonly MenuNode[],
  shown: readonly MenuNode[],
  held: Ids,
  on: boolean,
): Set<number> => shown.reduce((now, node) => toggleMenu(all, shown, now, node.menu.id, on), new Set(held))
