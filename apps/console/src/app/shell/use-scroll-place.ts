import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** How far down each step of the browser's history was left. */
const places = new Map<string, number>()

/** Another screen begins at its top, with the header; the way back leads to where the one before was left. */
export function useScrollPlace(): void {
  const { pathname, key } = useLocation()
  const back = useNavigationType() === 'POP'
  const shown = useRef({ pathname, key })
  useEffect(() => {
    const remember = () => places.set(shown.current.key, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [])
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { pathname, key }
    // A filter, a page of the list or a tab: the same screen stays where it is.
    if (before.pathname === pathname) places.set(key, window.scrollY)
    else window.scrollTo(0, back ? (places.get(key) ?? 0) : 0)
  }, [pathname, key, back])
}
