import { useState } from 'react'
import { type Rights, sameRights } from '../rights-diff.ts'

export interface RightsDraft {
  rights: Rights
  /** What the draft started from. */
  base: Rights
  dirty: boolean
  setMenus: (menus: ReadonlySet<number>) => void
  setApis: (apis: ReadonlySet<string>) => void
  reset: () => void
}

/**
 * The chosen rights of one role. What the platform holds flows in while nothing was changed, and once it is what was
 * chosen (saved); a draft is never overwritten.
 */
export function useRightsDraft(stored: Rights): RightsDraft {
  const [state, setState] = useState({ base: stored, rights: stored })
  const dirty = !sameRights(state.base, state.rights)
  const arrived = !sameRights(state.base, stored)
  if (arrived && (!dirty || sameRights(state.rights, stored))) setState({ base: stored, rights: stored })
  const change = (part: Partial<Rights>) => setState((before) => ({ ...before, rights: { ...before.rights, ...part } }))
  return {
    ...state,
    dirty,
    setMenus: (menus) => change({ menus }),
    setApis: (apis) => change({ apis }),
    reset: () => setState({ base: stored, rights: stored }),
  }
}
