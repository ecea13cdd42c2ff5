/** Why a batch has to be sent again, in words. */
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { AddressRefused } from '#ports/address-refused.ts'
import { TargetAway } from '#ports/forward-target.ts'
import { networkFault } from '#ports/network-fault.ts'

/** The runner ended the send, or closed the target. */
export const stopped = (): TargetAway => new TargetAway(phrase('发送已停止'))

export const awayBecause = (error: unknown): TargetAway => {
  if (error instanceof TargetAway) return error
  const words: Phrase = error instanceof AddressRefused ? error.words : networkFault(error as Error)
  return new TargetAway(words, { cause: error })
}

const shownCharacters = 500
// A sentence of ours is marked by such characters, and a database does not hold all of them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u0020\u007f]+/g

/** The beginning of what the other side said, as it may be stored and shown. */
export const saidBy = (text: string): string =>
  text.slice(0, shownCharacters).replace(control, ' ').trim().toWellFormed()
