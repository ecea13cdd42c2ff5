import { useState } from 'react'
import { flatten, isSearching, type MenuNode, type MenuSearch, searchTree } from '../menu-tree.ts'

/** Which branches are open. A new search opens the way to every match; closing is remembered until the next search. */
export function useExpanded(tree: readonly MenuNode[], search: MenuSearch) {
  const key = JSON.stringify([search.name, search.path])
  const [state, setState] = useState<{ key: string; closed: ReadonlySet<string> }>({ key, closed: new Set() })
  const closed = state.key === key ? state.closed : new Set<string>()
  const shown = isSearching(search) ? searchTree(tree, search) : tree
  const branches = flatten(shown)
    .filter((node) => node.children)
    .map((node) => String(node.id))

  const toggle = (id: string, open: boolean) => {
    const next = new Set(closed)
    if (open) next.delete(id)
    else next.add(id)
    setState({ key, closed: next })
  }
  return {
    keys: branches.filter((id) => !closed.has(id)),
    allOpen: branches.every((id) => !closed.has(id)),
    toggle,
    openAll: () => setState({ key, closed: new Set() }),
    closeAll: () => setState({ key, closed: new Set(branches) }),
  }
}
