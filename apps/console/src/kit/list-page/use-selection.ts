import { useCallback, useState } from 'react'

/** Rows chosen across pages, by key; the rows themselves are kept so that actions need not read them again. */
export function useSelection<T>(keyOf: (row: T) => string) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map())
  const pick = useCallback(
    (rows: readonly T[], on: boolean) =>
      setChosen((before) => {
        const after = new Map(before)
        for (const row of rows) {
          if (on) after.set(keyOf(row), row)
          else after.delete(keyOf(row))
        }
        return after
      }),
    [keyOf],
  )
  const clear = useCallback(() => setChosen(new Map()), [])
  return { chosen, pick, clear }
}
