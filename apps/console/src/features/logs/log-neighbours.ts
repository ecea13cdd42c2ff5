/** The rows before and after an open one, for the arrows of the detail. Pure. */
export interface Neighbours<T> {
  previous: T | undefined
  next: T | undefined
  /** From 1. */
  position: number
  count: number
}

export function neighboursOf<T extends { id: string }>(list: readonly T[], id: string): Neighbours<T> | undefined {
  const at = list.findIndex((row) => row.id === id)
  if (at < 0) return undefined
  return { previous: list[at - 1], next: list[at + 1], position: at + 1, count: list.length }
}
