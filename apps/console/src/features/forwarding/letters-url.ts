import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** The list inside the drawer keeps its filters beside those of the page. */
export const lettersPrefix = 'd.'
const isOwn = (name: string) => name === 'letters' || name.startsWith(lettersPrefix)

/** Whose dead letters are open (`?letters=`): links can be shared, Back closes. */
export function useLettersUrl() {
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('letters') ?? '')
  const set = useCallback(
    (own: Record<string, string>) =>
      setParams(
        (before) => new URLSearchParams([...[...before].filter(([name]) => !isOwn(name)), ...Object.entries(own)]),
      ),
    [setParams],
  )
  return {
    ruleID: Number.isSafeInteger(id) && id > 0 ? id : undefined,
    open: (ruleID: number) => set({ letters: String(ruleID) }),
    close: () => set({}),
  }
}
