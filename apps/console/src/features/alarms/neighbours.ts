/** The rows before and after an open one. Pure. */
export interface Neighbours<T> {
  previous: T | undefined
  next: T | undefined
}

/**
 * @param lastAt where the row was when it was last in the list: a handled record leaves the queue, and the one that
 * moved up into its place is the next
 */
export function neighboursOf<T extends { id: number }>(
  rows: readonly T[],
  id: number,
  lastAt: number | undefined,
): Neighbours<T> {
  const at = rows.findIndex((row) => row.id === id)
  if (at >= 0) return { previous: rows[at - 1], next: rows[at + 1] }
  if (lastAt === undefined) return { previous: undefined, next: rows[0] }
  return { previous: rows[Math.min(lastAt, rows.length) - 1], next: rows[lastAt] }
}
