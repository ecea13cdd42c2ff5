/** A guide by its sections: for the table of contents and the search. Pure. */
import { textOf } from './parse-inline.ts'
import type { Block } from './parse-markdown.ts'

export interface Section {
  level: number
  title: string
  slug: string
  /** Everything between this heading and the next. */
  text: string
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return textOf(block.parts)
    case 'code':
      return block.text
    case 'list':
      return block.items.map((item) => item.map(blockText).join(' ')).join(' ')
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(textOf).join(' ')).join(' ')
    case 'quote':
      return block.blocks.map(blockText).join(' ')
  }
}

export function sectionsOf(blocks: readonly Block[]): Section[] {
  const sections: Section[] = []
  for (const block of blocks) {
    const last = sections.at(-1)
    if (block.kind === 'heading') {
      sections.push({ level: block.level, title: textOf(block.parts), slug: block.slug, text: '' })
    } else if (last) last.text = `${last.text} ${blockText(block)}`.trim()
  }
  return sections
}

const chaptersOf = (sections: readonly Section[]): Section[][] => {
  const chapters: Section[][] = []
  for (const section of sections) {
    const chapter = chapters.at(-1)
    if (section.level > 2 && chapter) chapter.push(section)
    else chapters.push([section])
  }
  return chapters
}

/**
 * The heading of `there` at the place of `slug`: a guide has the same chapters in both languages, in the same order. A
 * heading inside a chapter that is not there leads to the beginning of its chapter.
 */
export function samePlace(slug: string, here: readonly Section[], there: readonly Section[]): string | undefined {
  const chapters = chaptersOf(here)
  const at = chapters.findIndex((chapter) => chapter.some((section) => section.slug === slug))
  const inside = chapters[at]?.findIndex((section) => section.slug === slug) ?? 0
  const chapter = chaptersOf(there)[at]
  return (chapter?.[inside] ?? chapter?.[0])?.slug
}
