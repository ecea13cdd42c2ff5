import { type ReactNode, useLayoutEffect } from 'react'
import { useSize } from '../use-size.ts'
import { wholeRow } from '../whole-row.ts'

/** A list that shows whole rows only, however high it is; the others are scrolled to. */
export function WholeRows({ className, label, children }: { className: string; label: string; children: ReactNode }) {
  const [host] = useSize<HTMLOListElement>()
  // After each drawing: rows and their texts may be others.
  useLayoutEffect(() => {
    const list = host.current
    if (!list) return
    const heightOf = (node: Element) => node.getBoundingClientRect().height
    list.style.removeProperty('--home-row')
    const height = wholeRow(heightOf(list), Array.from(list.children, heightOf))
    if (height) list.style.setProperty('--home-row', `${height}px`)
  })
  return (
    <ol ref={host} className={`home-rows min-0 column grow ${className}`} aria-label={label}>
      {children}
    </ol>
  )
}
