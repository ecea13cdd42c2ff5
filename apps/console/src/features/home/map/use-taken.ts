import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Rect } from './place-clusters.ts'

/**
 * Lists and buttons that lie over the map, in its pixels: names of places keep out of them.
 * @param clusters the lists come and change with them
 */
export function useTaken(stage: RefObject<Element | null>, clusters: unknown, size: unknown): readonly Rect[] {
  const [taken, setTaken] = useState<readonly Rect[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists are measured again when what they show has changed
  useLayoutEffect(() => {
    const node = stage.current
    if (!node) return
    const { left: x, top: y } = node.getBoundingClientRect()
    const over = node
      .closest('.home-map')
      ?.querySelectorAll('.home-products, .home-worst, .home-map-legend, .home-zoom')
    const next = [...(over ?? [])].map((one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect()
      return { left: left - x, top: top - y, right: right - x, bottom: bottom - y }
    })
    setTaken((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
  }, [stage, clusters, size])
  return taken
}
