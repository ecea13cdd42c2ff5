/** What the open page is about, told by a detail to the frame: breadcrumb and window title (screens.md 1). */
import { useEffect, useSyncExternalStore } from 'react'

let shown: string | undefined
const listeners = new Set<() => void>()

function show(name: string | undefined): void {
  if (shown === name) return
  shown = name
  for (const told of listeners) told()
}

/** Undefined or empty while it is not known. */
export function usePageName(name: string | undefined): void {
  useEffect(() => {
    show(name || undefined)
    return () => show(undefined)
  }, [name])
}

const subscribe = (told: () => void) => {
  listeners.add(told)
  return () => listeners.delete(told)
}

export const useShownPageName = (): string | undefined => useSyncExternalStore(subscribe, () => shown)
