import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** How far down each step of the browser's history was left. */
const places = new Map<string, number>()

/**
 * Another screen begins at its top, with the header; the way back leads to where the one before was left.
 * @param screen its route: one device follows another on it, and so do the tabs of a device
 */
export function useScrollPlace(screen: string | undefined): void {
  const { pathname, key } = useLocation()
  const type = useNavigationType()
  const shown = useRef({ pathname, key, screen })
  useEffect(() => {
    const remember = () => places.set(shown.current.key, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [])
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { pathname, key, screen }
    // A filter, a page of the list or a tab: the same screen stays where it is.
    const stays = before.pathname === pathname || (type === 'REPLACE' && before.screen === screen)
    if (stays) places.set(key, window.scrollY)
    else window.scrollTo(0, type === 'POP' ? (places.get(key) ?? 0) : 0)
  }, [pathname, key, type, screen])
}
