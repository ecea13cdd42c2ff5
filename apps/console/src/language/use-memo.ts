import { type DependencyList, useMemo as useReactMemo } from 'react'
import { useLanguage } from './language.ts'

/** As React's, and made anew in another language: what is remembered may hold texts. */
export function useMemo<T>(make: () => T, deps: DependencyList): T {
  const language = useLanguage()
  return useReactMemo(make, [language, ...deps])
}
