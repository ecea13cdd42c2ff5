/** The guides themselves: bundled as text with the build, so that help needs no network (decisions.md 4.5). */
import type { Language } from '@ithings/contract/text.ts'
import { queryOptions } from '@tanstack/react-query'
import { type HelpPage, helpPages } from '#kit/paths.ts'
import { parseMarkdown } from './markdown/parse-markdown.ts'
import { sectionsOf } from './markdown/sections.ts'
import type { Guide } from './search-guides.ts'

/** Fetched when somebody reads or searches them. A guide that is missing in one language ends the build. */
const textsIn = {
  zh: async () => (await import('./guides-zh.ts')).guideTexts,
  en: async () => (await import('./guides-en.ts')).guideTexts,
} satisfies Record<Language, () => Promise<Record<HelpPage, string>>>

const forever = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

export const guideQuery = (language: Language, page: HelpPage) =>
  queryOptions({
    queryKey: ['help', language, page],
    queryFn: async () => parseMarkdown((await textsIn[language]())[page]),
    ...forever,
  })

export const allGuidesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['help', language],
    queryFn: async (): Promise<Guide[]> => {
      const texts = await textsIn[language]()
      return helpPages.map(({ key, title }) => ({
        page: key,
        title,
        sections: sectionsOf(parseMarkdown(texts[key])),
      }))
    },
    ...forever,
  })
