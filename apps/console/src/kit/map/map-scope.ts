/** Which part of the world a map shows at first: people choose on any map, until then the language decides. */
import type { Language } from '@ithings/contract/text.ts'
import { useLanguage } from '#language/language.ts'
import { type StoredPreferences, usePreferences } from '../preferences.tsx'

export type MapScope = 'china' | 'world'

export const scopeFor = (chosen: StoredPreferences['map'], language: Language): MapScope =>
  chosen === 'language' ? (language === 'zh' ? 'china' : 'world') : chosen

export function useMapScope(): { scope: MapScope; choose: (scope: MapScope) => void } {
  const { map, set } = usePreferences()
  return { scope: scopeFor(map, useLanguage()), choose: (scope) => set({ map: scope }) }
}
