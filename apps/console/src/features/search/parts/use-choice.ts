/** Which of the listed items the keyboard is at. */
import { type KeyboardEvent, useState } from 'react'
import type { SearchItem } from '../search-items.ts'

/** Steps through a ring; Home and End go to its ends. Undefined: the key means something else. */
export function nextIndex(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'PageDown') return count - 1
  if (key === 'PageUp') return 0
  return undefined
}

/** @param list what the choice belongs to: with another list it begins at the best again */
export function useChoice(items: readonly SearchItem[], list: string, onOpen: (item: SearchItem) => void) {
  const [choice, setChoice] = useState({ list, index: 0 })
  const index = choice.list === list ? Math.min(choice.index, Math.max(items.length - 1, 0)) : 0
  const choose = (next: number) => setChoice({ list, index: next })
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and arrows belong to the input method while it composes Chinese.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      const item = items[index]
      if (item) onOpen(item)
      return
    }
    const next = nextIndex(event.key, index, items.length)
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return { index, choose, onKeyDown }
}
