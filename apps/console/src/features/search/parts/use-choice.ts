/** Which of the listed items the keyboard is at. */
import { type KeyboardEvent, useEffect, useState } from 'react'
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

interface Listed {
  items: readonly SearchItem[]
  /** What the choice belongs to: with another list it begins at the best again. */
  list: string
  /** Nothing better is on its way. */
  settled: boolean
}

export function useChoice({ items, list, settled }: Listed, onOpen: (item: SearchItem) => void) {
  const [choice, setChoice] = useState({ list, index: 0 })
  const [entered, setEntered] = useState<string>()
  const index = choice.list === list ? Math.min(choice.index, Math.max(items.length - 1, 0)) : 0
  const choose = (next: number) => setChoice({ list, index: next })
  const open = () => {
    const item = items[index]
    if (item) onOpen(item)
  }
  useEffect(() => {
    if (entered === undefined || !(settled || entered !== list)) return
    setEntered(undefined)
    if (entered === list) open()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and arrows belong to the input method while it composes Chinese.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      // Whoever types and presses Enter at once means what will be found, not what was found for the word before.
      if (settled || choice.list === list) open()
      else setEntered(list)
      return
    }
    const next = nextIndex(event.key, index, items.length)
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return { index, choose, onKeyDown }
}
