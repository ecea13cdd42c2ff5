import { matchPath, useLocation } from 'react-router'
import { useMemo } from '#language/use-memo.ts'
import { defaultPath, type ScreenRow, screens } from '../routes.tsx'
import { useSession } from '../session/session-context.ts'
import {
  buildMenuTree,
  landingPath,
  type MenuNode,
  permittedPaths,
  readableEntries,
  trailTo,
  visibleNodes,
} from './menu-tree.ts'

const screenPaths = new Set(screens.map((row) => row.path))
export const hasScreen = (path: string): boolean => screenPaths.has(path)

export interface UserMenu {
  tree: MenuNode[]
  visible: MenuNode[]
  permitted: ReadonlySet<string>
  /** Where `/` leads; undefined when the user has no usable entry. */
  landing: string | undefined
}

export function useMenu(): UserMenu {
  const { menu, info, withheld } = useSession()
  return useMemo(() => {
    const tree = buildMenuTree(readableEntries(menu, screens, withheld), info)
    const visible = visibleNodes(tree, hasScreen)
    const permitted = permittedPaths(tree)
    return { tree, visible, permitted, landing: landingPath(visible, permitted, hasScreen, defaultPath) }
  }, [menu, info, withheld])
}

/** The row of the table that the address belongs to. */
export function useScreenRow(): ScreenRow | undefined {
  const { pathname } = useLocation()
  return useMemo(() => screens.find((row) => matchPath(row.path, pathname)), [pathname])
}

/** The way to the current screen: a detail hangs below its list, whatever its own menu entry says. */
export function trailOf(tree: readonly MenuNode[], row: ScreenRow | undefined): MenuNode[] {
  if (!row) return []
  const own = trailTo(tree, row.path)
  const last = own.at(-1)
  if (last && !last.hidden) return own
  return row.parent ? trailTo(tree, row.parent) : own
}
