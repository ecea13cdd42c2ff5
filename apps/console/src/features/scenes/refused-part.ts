import type { AppError } from '@ithings/contract/errors.ts'
import { t } from '@ithings/contract/text.ts'

/** What the contract refuses about a scene. What stands before the colon is the catalogue's own word. */
export function refusedPart(error: AppError): string {
  const said = error.say(t)
  return said.slice(said.indexOf(':') + 1).trimStart()
}
