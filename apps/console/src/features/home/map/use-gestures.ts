import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { Flat } from './albers.ts'

interface Gestures {
  onPan: (dx: number, dy: number) => void
  onZoom: (by: number, at: Flat) => void
}

/** A shaking finger is still a click. */
const slop = 4
const wheelStep = 500

const distance = ([ax, ay]: Flat, [bx, by]: Flat) => Math.hypot(ax - bx, ay - by)

/**
 * Drag, wheel and two fingers.
 * @param wheel false: the page scrolls, and only a pinch of the touch pad (control and wheel) zooms
 */
export function useGestures(host: RefObject<HTMLElement | null>, wheel: boolean, { onPan, onZoom }: Gestures) {
  const latest = useRef({ onPan, onZoom, wheel })
  latest.current = { onPan, onZoom, wheel }
  const pointers = useRef(new Map<number, Flat>())
  const dragging = useRef(false)

  useEffect(() => {
    const node = host.current
    if (!node) return
    // React listens passively: the page would scroll along.
    const turned = (event: WheelEvent) => {
      if (!latest.current.wheel && !event.ctrlKey) return
      event.preventDefault()
      const { left, top } = node.getBoundingClientRect()
      latest.current.onZoom(2 ** (-event.deltaY / wheelStep), [event.clientX - left, event.clientY - top])
    }
    node.addEventListener('wheel', turned, { passive: false })
    return () => node.removeEventListener('wheel', turned)
  }, [host])

  const at = (event: PointerEvent<HTMLElement>): Flat => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return [event.clientX - left, event.clientY - top]
  }
  const ended = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId)
    if (pointers.current.size === 0) dragging.current = false
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0) pointers.current.set(event.pointerId, at(event))
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const before = pointers.current.get(event.pointerId)
      if (!before) return
      const now = at(event)
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
      if (!dragging.current) {
        if (distance(before, now) < slop) return
        dragging.current = true
        // From here on it is no click on a cluster.
        event.currentTarget.setPointerCapture(event.pointerId)
      }
      pointers.current.set(event.pointerId, now)
      if (other) latest.current.onZoom(distance(other, now) / Math.max(1, distance(other, before)), other)
      else latest.current.onPan(now[0] - before[0], now[1] - before[1])
    },
    onPointerUp: ended,
    onPointerCancel: ended,
  }
}
