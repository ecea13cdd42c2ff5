import type { Menu } from '@ithings/contract/features/menus.ts'
import { useState } from 'react'
import { type MoveResult, moveNode, movesTo, type Place, type Step, saveMoves, stepPlace } from '../menu-moves.ts'
import { buildTree, type MenuNode } from '../menu-tree.ts'
import { putMenu, useMenusChanged } from '../queries.ts'

const idsOf = (list: readonly Menu[]) =>
  list
    .map((menu) => menu.id)
    .toSorted((a, b) => a - b)
    .join()

/** A draft of the tree over the stored menu: moved freely, saved in one go, compared again with what is stored. */
export function useArrange(list: readonly Menu[]) {
  const changed = useMenusChanged()
  const ids = idsOf(list)
  const [draft, setDraft] = useState<{ ids: string; tree: MenuNode[] }>()
  const [progress, setProgress] = useState<number>()
  const [result, setResult] = useState<MoveResult>()
  // Somebody added or deleted an entry meanwhile: the draft of another set of entries is worthless.
  const tree = draft?.ids === ids ? draft.tree : buildTree(list)
  const moves = movesTo(tree, list)

  const move = (id: number, place: Place) => {
    setResult(undefined)
    setDraft({ ids, tree: moveNode(tree, id, place) })
  }
  const step = (id: number, way: Step) => {
    const place = stepPlace(tree, id, way)
    if (place) move(id, place)
  }
  const reset = () => {
    setResult(undefined)
    setDraft(undefined)
  }
  /** True when everything was taken. The draft stays otherwise, so that another try sends only the rest. */
  const save = async (): Promise<boolean> => {
    setResult(undefined)
    setProgress(0)
    const outcome = await saveMoves(
      moves,
      ({ menu, parentID, order }) => putMenu({ id: menu.id, name: menu.name, parentID, order, rev: menu.rev }),
      setProgress,
    )
    await changed()
    setProgress(undefined)
    setResult(outcome)
    return outcome.failures.length === 0
  }
  return { tree, moves, move, step, reset, save, progress, result }
}
