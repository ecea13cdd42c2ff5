/** @returns the height of each row with which only whole rows fill the room; undefined: all have room as they are. Pure. */
export function wholeRow(room: number, rows: readonly number[]): number | undefined {
  const needed = rows.reduce((sum, height) => sum + height, 0)
  // Sizes of the browser are rounded.
  if (needed <= room + 0.5) return undefined
  return room / Math.max(1, Math.floor(room / Math.max(...rows)))
}
