/** The guides themselves: bundled as text with the build, one file each, so that help needs no network (decisions.md 4.5). */
import { queryOptions } from '@tanstack/react-query'
import { type HelpPage, helpPages } from '#blocks/help-link.tsx'
import { type Block, parseMarkdown } from './markdown/parse-markdown.ts'
import { sectionsOf } from './markdown/sections.ts'
import type { Guide } from './search-guides.ts'

const files = import.meta.glob<string>('../../../../../docs/{operator-guide,device-guide,api,configuration}.md', {
  query: '?raw',
  import: 'default',
})

async function loadGuide(page: HelpPage): Promise<Block[]> {
  const load = Object.entries(files).find(([path]) => path.endsWith(`/${page}.md`))?.[1]
  if (!load) throw new Error(`手册 ${page} 不在安装包里`)
  return parseMarkdown(await load())
}

const forever = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

export const guideQuery = (page: HelpPage) =>
  queryOptions({ queryKey: ['help', page], queryFn: () => loadGuide(page), ...forever })

export const allGuidesQuery = queryOptions({
  queryKey: ['help'],
  queryFn: (): Promise<Guide[]> =>
    Promise.all(
      helpPages.map(async ({ key, title }) => ({ page: key, title, sections: sectionsOf(await loadGuide(key)) })),
    ),
  ...forever,
})
