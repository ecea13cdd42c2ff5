/** Re-ordering and re-parenting on a draft of the tree, and the calls that make the draft true. Pure. */
import { type Menu, MenuType, rootMenuID } from '@ithings/contract/features/menus.ts'
import { byOrder, familyOf, flatten, type MenuNode } from './menu-tree.ts'

export interface Place {
  parentID: number
  /** Position among the children of the parent, counted without the moved entry. */
  index: number
}

export interface MenuMove {
  menu: Menu
  parentID: number
  order: number
}

export type Step = 'up' | 'down' | 'in' | 'out'

export const parentIn = (tree: readonly MenuNode[], id: number): number =>
  flatten(tree).find((node) => node.children?.some((child) => child.id === id))?.id ?? rootMenuID

export function childrenIn(tree: readonly MenuNode[], parentID: number): readonly MenuNode[] {
  if (parentID === rootMenuID) return tree
  return flatten(tree).find((node) => node.id === parentID)?.children ?? []
}

/** Not below itself, not below a button. */
export function mayLieUnder(tree: readonly MenuNode[], id: number, parentID: number): boolean {
  if (parentID === rootMenuID) return true
  const parent = flatten(tree).find((node) => node.id === parentID)
  return parent !== undefined && parent.type !== MenuType.button && !familyOf(tree, id).has(parentID)
}

function without(tree: readonly MenuNode[], id: number): MenuNode[] {
  return tree
    .filter((node) => node.id !== id)
    .map(({ children: below, ...menu }) => {
      const children = without(below ?? [], id)
      return children.length > 0 ? { ...menu, children } : menu
    })
}

const insertAt = (nodes: readonly MenuNode[], node: MenuNode, index: number) => nodes.toSpliced(index, 0, node)

function withChild(tree: readonly MenuNode[], node: MenuNode, { parentID, index }: Place): MenuNode[] {
  if (parentID === rootMenuID) return insertAt(tree, node, index)
  return tree.map((one) => {
    if (one.id === parentID) return { ...one, children: insertAt(one.children ?? [], node, index) }
    return one.children ? { ...one, children: withChild(one.children, node, { parentID, index }) } : one
  })
}

/** The tree with the entry at its new place; an impossible place changes nothing. */
export function moveNode(tree: readonly MenuNode[], id: number, place: Place): MenuNode[] {
  const node = flatten(tree).find((one) => one.id === id)
  if (!node || !mayLieUnder(tree, id, place.parentID)) return [...tree]
  return withChild(without(tree, id), node, place)
}

/** Where one press of an arrow would put the entry; undefined at the edge. */
export function stepPlace(tree: readonly MenuNode[], id: number, step: Step): Place | undefined {
  const parentID = parentIn(tree, id)
  const siblings = childrenIn(tree, parentID)
  const at = siblings.findIndex((node) => node.id === id)
  if (at < 0) return undefined
  if (step === 'up') return at > 0 ? { parentID, index: at - 1 } : undefined
  if (step === 'down') return at < siblings.length - 1 ? { parentID, index: at + 1 } : undefined
  if (step === 'in') {
    const host = siblings[at - 1]
    if (!host || host.type === MenuType.button) return undefined
    return { parentID: host.id, index: host.children?.length ?? 0 }
  }
  if (parentID === rootMenuID) return undefined
  const grandparent = parentIn(tree, parentID)
  const index = childrenIn(tree, grandparent).findIndex((node) => node.id === parentID) + 1
  return { parentID: grandparent, index }
}

/**
 * The updates that lead from the stored menu to the draft, parents before their children: so no step on the way
 * puts an entry below one of its own descendants. Siblings that already stand in order keep their numbers.
 */
export function movesTo(draft: readonly MenuNode[], stored: readonly Menu[]): MenuMove[] {
  const byID = new Map(stored.map((menu) => [menu.id, menu]))
  const movesOf = (nodes: readonly MenuNode[], parentID: number): MenuMove[] => {
    const menus = nodes.flatMap((node) => byID.get(node.id) ?? [])
    const inOrder = menus.every((menu, i) => {
      const before = menus[i - 1]
      return !before || byOrder(before, menu) < 0
    })
    const untouched = inOrder && menus.every((menu) => menu.parentID === parentID)
    const moves = menus.map((menu, i) => ({ menu, parentID, order: untouched ? menu.order : i + 1 }))
    return [
      ...moves.filter(({ menu, order }) => menu.parentID !== parentID || menu.order !== order),
      ...nodes.flatMap((node) => movesOf(node.children ?? [], node.id)),
    ]
  }
  return movesOf(draft, rootMenuID)
}

export interface MoveFailure {
  menu: Menu
  error: unknown
}

export interface MoveResult {
  saved: number
  failures: MoveFailure[]
}

/** One call after the other, in the given order; a refused one does not stop the rest. */
export async function saveMoves(
  moves: readonly MenuMove[],
  save: (move: MenuMove) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<MoveResult> {
  const failures: MoveFailure[] = []
  for (const [i, move] of moves.entries()) {
    try {
      await save(move)
    } catch (error) {
      failures.push({ menu: move.menu, error })
    }
    onProgress(i + 1)
  }
  return { saved: moves.length - failures.length, failures }
}
