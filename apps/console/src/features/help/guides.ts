/** The guides themselves: bundled as text with the build, so that help needs no network (decisions.md 4.5). */
import { t } from '@ithings/contract/text.ts'
import { queryOptions } from '@tanstack/react-query'
import { type HelpPage, helpPages } from '#kit/paths.ts'
import { type Block, parseMarkdown } from './markdown/parse-markdown.ts'
import { sectionsOf } from './markdown/sections.ts'
import type { Guide } from './search-guides.ts'

/** The guides as text, all in one file of the build: the search reads them all, and few files keep the start small. */
const guideTexts = import.meta.glob<string>(
  '../../../../../docs/{operator-guide,device-guide,api,deployment,configuration}.md',
  { query: '?raw', import: 'default', eager: true },
)

function readGuide(page: HelpPage): Block[] {
  const text = Object.entries(guideTexts).find(([path]) => path.endsWith(`/${page}.md`))?.[1]
  if (text === undefined) throw new Error(t('手册 {page} 不在安装包里', { page }))
  return parseMarkdown(text)
}

const forever = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

export const guideQuery = (page: HelpPage) =>
  queryOptions({ queryKey: ['help', page], queryFn: () => readGuide(page), ...forever })

export const allGuidesQuery = queryOptions({
  queryKey: ['help'],
  queryFn: (): Guide[] =>
    helpPages.map(({ key, title }) => ({ page: key, title, sections: sectionsOf(readGuide(key)) })),
  ...forever,
})
