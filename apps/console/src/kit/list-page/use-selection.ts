import { useCallback, useState } from 'react'

type Chosen<T> = ReadonlyMap<string, T>

export function withPicked<T>(
  before: Chosen<T>,
  rows: readonly T[],
  on: boolean,
  keyOf: (row: T) => string,
): Chosen<T> {
  const after = new Map(before)
  for (const row of rows) {
    if (on) after.set(keyOf(row), row)
    else after.delete(keyOf(row))
  }
  return after
}

/** When the whole page is ticked and there is more; on a phone nothing ticks a whole page, so the first row suffices. */
export const offersAll = (keys: readonly string[], chosen: Chosen<unknown>, total: number, phone: boolean): boolean =>
  chosen.size > 0 && total > chosen.size && (phone || keys.every((key) => chosen.has(key)))

const noRows: [] = []

/**
 * Rows chosen across pages, by key; the rows themselves are kept so that actions need not read them again. Or all rows
 * of the filter, shown or not: that ends with the filter, and with the first row that is unticked.
 */
export function useSelection<T>(keyOf: (row: T) => string, rows: readonly T[] = noRows, filter = '') {
  const [chosen, setChosen] = useState<Chosen<T>>(new Map())
  const [allOf, setAllOf] = useState<string>()
  const all = allOf === filter
  const pick = useCallback(
    (picked: readonly T[], on: boolean) => {
      setAllOf(undefined)
      setChosen((before) => withPicked(all ? withPicked(new Map(), rows, true, keyOf) : before, picked, on, keyOf))
    },
    [keyOf, all, rows],
  )
  const clear = useCallback(() => {
    setAllOf(undefined)
    setChosen(new Map())
  }, [])
  return { chosen, all, pick, pickAll: () => setAllOf(filter), clear }
}
