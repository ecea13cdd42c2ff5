import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { isSomethingAbove } from '#kit/above.ts'

const name = 'full'

/**
 * The screen without the console around it. It stands in the address (`?full=1`), so that a wall can be started with a
 * bookmark; the browser's own full screen, which needs a person's click, comes on top where it is allowed.
 */
export function useFullScreen(): { full: boolean; toggle: () => void } {
  const [params, setParams] = useSearchParams()
  const full = params.get(name) === '1'
  const set = useCallback(
    (on: boolean) =>
      setParams(
        (before) => {
          if (on) before.set(name, '1')
          else before.delete(name)
          return before
        },
        { replace: true },
      ),
    [setParams],
  )
  const toggle = useCallback(() => {
    set(!full)
    // Refused in frames and kiosks: the screen fills the window all the same.
    if (!full) document.documentElement.requestFullscreen?.().catch(() => undefined)
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined)
  }, [full, set])

  useEffect(() => {
    if (!full) return
    const left = () => {
      if (!document.fullscreenElement) set(false)
    }
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isSomethingAbove()) set(false)
    }
    document.addEventListener('fullscreenchange', left)
    document.addEventListener('keydown', pressed)
    return () => {
      document.removeEventListener('fullscreenchange', left)
      document.removeEventListener('keydown', pressed)
    }
  }, [full, set])

  // Whoever follows a figure to its list needs the browser's window again.
  useEffect(
    () => () => {
      if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined)
    },
    [],
  )
  return { full, toggle }
}
