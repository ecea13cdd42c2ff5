import { updateSelf } from '@ithings/contract/features/users.ts'
import { type Language, languageOf } from '@ithings/contract/text.ts'
import { chooseLanguage, followUser, tagOf, useLanguage } from '#language/language.ts'
import { call } from './call.ts'
import { session } from './session-store.ts'
import { guardedStore } from './text-store.ts'

/** A choice that the server was not told yet. Company sign-on leaves the page and comes back to this tab. */
const untold = guardedStore(() => sessionStorage)
const untoldKey = 'iThings-language-untold'

async function tellServer(language: Language): Promise<void> {
  untold.set(untoldKey, language)
  if (!session.complete()) return
  // Without the server it is the choice of this browser, until the next start.
  await call(updateSelf, { language: tagOf[language].replace('-', '_') }, { quiet: true }).then(
    () => untold.remove(untoldKey),
    () => undefined,
  )
}

/**
 * Signed in: what was chosen on the sign-in page or told in vain, else what the user chose before, perhaps on another
 * machine. What is shown may be something else: the address can ask for a language for one visit.
 */
export function followChoice(stored: string): Promise<void> {
  const chosen = languageOf(untold.get(untoldKey))
  return chosen ? tellServer(chosen) : followUser(stored)
}

/** This browser remembers it, and the server for whoever is signed in. */
export function useLanguageChoice() {
  const language = useLanguage()
  const choose = async (next: Language) => {
    await chooseLanguage(next)
    await tellServer(next)
  }
  return { language, choose }
}
