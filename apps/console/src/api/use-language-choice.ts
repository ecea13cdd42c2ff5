import { updateSelf } from '@ithings/contract/features/users.ts'
import type { Language } from '@ithings/contract/text.ts'
import { chooseLanguage, followUser, readLanguage, tagOf, useLanguage } from '#language/language.ts'
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

/** Signed in: what was chosen on the sign-in page, else what the user chose before, perhaps on another machine. */
export const followChoice = (stored: string): Promise<void> =>
  untold.get(untoldKey) ? tellServer(readLanguage()) : followUser(stored)

/** This browser remembers it, and the server for whoever is signed in. */
export function useLanguageChoice() {
  const language = useLanguage()
  const choose = async (next: Language) => {
    await chooseLanguage(next)
    await tellServer(next)
  }
  return { language, choose }
}
