import { updateSelf } from '@ithings/contract/features/users.ts'
import type { Language } from '@ithings/contract/text.ts'
import { chooseLanguage, tagOf, useLanguage } from '#language/language.ts'
import { call } from './call.ts'
import { session } from './session-store.ts'

/** This browser remembers the choice, and the server for whoever is signed in. */
export function useLanguageChoice() {
  const language = useLanguage()
  const choose = async (next: Language) => {
    await chooseLanguage(next)
    if (!session.complete()) return
    // Without the server it is the choice of this browser alone.
    await call(updateSelf, { language: tagOf[next].replace('-', '_') }, { quiet: true }).catch(() => undefined)
  }
  return { language, choose }
}
