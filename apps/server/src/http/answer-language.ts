/** In which language a caller is answered (docs/design/language.md): Chinese, unless he asks for English. */
import contractTexts from '@ithings/contract/en.json' with { type: 'json' }
import { addTexts, toEnglish } from '@ithings/contract/english.ts'
import type { AppError } from '@ithings/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import serverTexts from '../en.json' with { type: 'json' }

addTexts(contractTexts)
addTexts(serverTexts)

const weightOf = (parameters: string[]): number => {
  const weight = parameters.find((one) => one.trim().startsWith('q='))
  return weight === undefined ? 1 : Number(weight.trim().slice(2)) || 0
}

/** The first of the two that the header prefers, by RFC 9110 section 12.5.4. */
export function prefersEnglish(acceptLanguage: string | undefined): boolean {
  const ranges = (acceptLanguage ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';')
    return { language: tag.trim().slice(0, 2).toLowerCase(), weight: weightOf(parameters) }
  })
  const known = ranges.filter(({ language, weight }) => ['zh', 'en'].includes(language) && weight > 0)
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.language === 'en'
}

export const messageFor = (error: AppError, request: FastifyRequest): string =>
  prefersEnglish(request.headers['accept-language']) ? error.say(toEnglish) : error.message
