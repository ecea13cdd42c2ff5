import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import * as z from 'zod'
import { useMemo } from '#language/use-memo.ts'
import { readCacheOr, writeCache } from './json-cache.ts'

const storageKey = 'iThings-preferences'

const stored = z.object({
  theme: z.enum(['light', 'dark', 'system']).catch('light'),
  density: z.enum(['middle', 'small']).catch('middle'),
  // spec 9: default page size 10.
  pageSize: z.union([z.literal(10), z.literal(20), z.literal(50), z.literal(100)]).catch(10),
  formLayout: z.enum(['horizontal', 'vertical']).catch('horizontal'),
  /** What maps begin with. */
  map: z.enum(['language', 'china', 'world']).catch('language'),
})

export type StoredPreferences = z.infer<typeof stored>
export type PageSize = StoredPreferences['pageSize']
export const pageSizes: readonly PageSize[] = [10, 20, 50, 100]

export const parsePreferences = (value: unknown): StoredPreferences => stored.parse(value ?? {})

export interface Preferences extends StoredPreferences {
  dark: boolean
  set: (patch: Partial<StoredPreferences>) => void
}

const defaults = parsePreferences({})
const PreferencesContext = createContext<Preferences>({ ...defaults, dark: false, set: () => undefined })

const systemDark = () => window.matchMedia('(prefers-color-scheme: dark)')

function useSystemDark(): boolean {
  const [dark, setDark] = useState(() => systemDark().matches)
  useEffect(() => {
    const media = systemDark()
    const changed = () => setDark(media.matches)
    media.addEventListener('change', changed)
    return () => media.removeEventListener('change', changed)
  }, [])
  return dark
}

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [preferences, setPreferences] = useState(() => readCacheOr(storageKey, parsePreferences, defaults))
  const osDark = useSystemDark()
  const dark = preferences.theme === 'system' ? osDark : preferences.theme === 'dark'

  // Another tab changed them: follow, so that two tabs never fight.
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === storageKey) setPreferences(readCacheOr(storageKey, parsePreferences, defaults))
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [])

  // tokens.css hangs on this attribute.
  useEffect(() => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  }, [dark])

  const set = useCallback((patch: Partial<StoredPreferences>) => {
    setPreferences((before) => {
      const after = { ...before, ...patch }
      try {
        writeCache(storageKey, after)
      } catch {
        // A browser that refuses storage still gets the choice for this visit.
      }
      return after
    })
  }, [])

  const value = useMemo(() => ({ ...preferences, dark, set }), [preferences, dark, set])
  return <PreferencesContext value={value}>{children}</PreferencesContext>
}

export const usePreferences = (): Preferences => useContext(PreferencesContext)

/** spec 9: label column span 4, wrapper column span 14 when the form is horizontal. */
export const horizontalColumns = { labelCol: { span: 4 }, wrapperCol: { span: 14 } } as const
