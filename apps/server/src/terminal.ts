/**
 * What whoever sits at the terminal reads: in Chinese where the terminal is Chinese, else in English
 * (docs/design/language.md). Every room may use it.
 */
import contractTexts from '@ithings/contract/en.json' with { type: 'json' }
import moreContractTexts from '@ithings/contract/en-later.json' with { type: 'json' }
import apiNames from '@ithings/contract/en-names.json' with { type: 'json' }
import { addTexts, toEnglish } from '@ithings/contract/english.ts'
import { fill, type Language, say, type Translate, type Words } from '@ithings/contract/text.ts'
import serverTexts from './en.json' with { type: 'json' }

for (const texts of [contractTexts, moreContractTexts, apiNames, serverTexts]) addTexts(texts)

let language: Language = 'en'

/** Said once by the program that is started; without it everything is English. */
export function speakInTerminal(spoken: Language): void {
  language = spoken
}

export const spokenLanguage = (): Language => language

export const terminalTranslator = (): Translate => (language === 'zh' ? fill : toEnglish)

export const inTerminal = (words: Words): string => say(words, terminalTranslator())

/** What is a line of the log as well. */
export const inEnglish = (words: Words): string => say(words, toEnglish)

/** A failure for whoever sits at the terminal. Its message is English: logs have it, too. */
export class TerminalError extends Error {
  readonly words: Words

  constructor(words: Words, options?: ErrorOptions) {
    super(inEnglish(words), options)
    this.words = words
  }
}

/** Of any failure; what other programs and libraries say stays as it is. */
export const wordsOf = (error: unknown): Words => {
  if (error instanceof TerminalError) return error.words
  return error instanceof Error ? error.message : String(error)
}
