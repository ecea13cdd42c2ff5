/** What came with the platform is read in the language of the caller; what people wrote stays as it is. */
import { toEnglish } from '@ithings/contract/english.ts'
import { builtInRoleTexts } from '@ithings/contract/features/roles.ts'
import { kept } from '@ithings/contract/text.ts'

const given: ReadonlySet<string> = new Set(builtInRoleTexts)

/** The name or remark of a role. */
export const roleText = (text: string, builtIn: boolean | null): string =>
  builtIn && given.has(text) ? kept(text) : text

/** Who saves a form sends back what he read: that is no new name. */
export const asStored = (sent: string, stored: string): string =>
  given.has(stored) && sent === toEnglish(stored) ? stored : sent
