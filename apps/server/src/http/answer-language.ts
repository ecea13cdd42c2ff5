/**
 * In which language a caller is answered (docs/design/language.md): the one he asks for, else the one he
 * chose in the console, else Chinese.
 */
import contractTexts from '@ithings/contract/en.json' with { type: 'json' }
import moreContractTexts from '@ithings/contract/en-later.json' with { type: 'json' }
import apiNames from '@ithings/contract/en-names.json' with { type: 'json' }
import { addTexts, toEnglish } from '@ithings/contract/english.ts'
import type { AppError } from '@ithings/contract/errors.ts'
import { fill, type Language, languageOf, saying, type Translate } from '@ithings/contract/text.ts'
import type { FastifyRequest } from 'fastify'
import serverTexts from '../en.json' with { type: 'json' }

for (const texts of [contractTexts, moreContractTexts, apiNames, serverTexts]) addTexts(texts)

const weightOf = (parameters: string[]): number => {
  const weight = parameters.find((one) => one.trim().startsWith('q='))
  return weight === undefined ? 1 : Number(weight.trim().slice(2)) || 0
}

/** The first of the two languages that the header prefers, by RFC 9110 section 12.5.4. */
export function askedLanguage(acceptLanguage: string | undefined): Language | undefined {
  const ranges = (acceptLanguage ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';')
    return { language: languageOf(tag.trim()), weight: weightOf(parameters) }
  })
  const known = ranges.filter(({ language, weight }) => language && weight > 0)
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.language
}

/** Short lists of names that are put in order here; Chinese keeps the order of its code points. */
export const namesInOrder = (language: Language): ((one: string, other: string) => number) =>
  language === 'en'
    ? new Intl.Collator('en', { numeric: true }).compare
    : (one, other) => (one === other ? 0 : one < other ? -1 : 1)

export const translatorOf = (language: string): Translate => (language === 'en' ? toEnglish : fill)

const translatorFor = ({ caller, headers }: FastifyRequest): Translate =>
  translatorOf(caller?.language ?? askedLanguage(headers['accept-language']) ?? 'zh')

export const messageFor = (error: AppError, request: FastifyRequest): string => error.say(translatorFor(request))

/** The body of an answer; sentences in it are said here and nowhere else. */
export function sayAnswer(body: unknown, request: FastifyRequest): string {
  const json = JSON.stringify(body)
  return json.includes('u0001[{') ? JSON.stringify(body, saying(translatorFor(request))) : json
}
