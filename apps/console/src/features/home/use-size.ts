import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export interface BoxSize {
  width: number
  height: number
}

/** The room that an element has; undefined before it was measured. */
export function useSize<E extends Element>(): [RefObject<E | null>, BoxSize | undefined] {
  const host = useRef<E>(null)
  const [size, setSize] = useState<BoxSize>()
  useLayoutEffect(() => {
    const node = host.current
    if (!node) return
    const measure = () => {
      const { width, height } = node.getBoundingClientRect()
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(node)
    return () => watch.disconnect()
  }, [])
  return [host, size]
}
