/** Full-text search over the guides, in the browser: they are small enough to be read through at each letter. Pure. */
import type { HelpPage } from '#kit/paths.ts'
import type { Section } from './markdown/sections.ts'

export interface Guide {
  page: HelpPage
  title: string
  sections: readonly Section[]
}

interface GuideHit {
  page: HelpPage
  guide: string
  title: string
  slug: string
  /** The text around the first word. */
  excerpt: string
}

const most = 30
const before = 24
const length = 120

const wordsOf = (keyword: string): string[] => keyword.toLowerCase().split(/\s+/).filter(Boolean)

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - before)
  const cut = text.slice(from, from + length)
  return `${from > 0 ? '…' : ''}${cut}${from + length < text.length ? '…' : ''}`
}

/** All words in the title first, then some of them there, then in the text alone; 0: not all are in the section. */
function scoreOf({ title, text }: Section, words: readonly string[]): number {
  const name = title.toLowerCase()
  const body = text.toLowerCase()
  if (!words.every((word) => name.includes(word) || body.includes(word))) return 0
  const inTitle = words.filter((word) => name.includes(word)).length
  return 1 + inTitle * 2
}

export function searchGuides(guides: readonly Guide[], keyword: string): GuideHit[] {
  const words = wordsOf(keyword)
  if (words.length === 0) return []
  return guides
    .flatMap(({ page, title: guide, sections }) =>
      sections.map((section) => ({
        score: scoreOf(section, words),
        hit: {
          page,
          guide,
          title: section.title,
          slug: section.slug,
          excerpt: excerptOf(section.text, words),
        },
      })),
    )
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ hit }) => hit)
}

interface MarkedText {
  text: string
  hit: boolean
}

/** The text cut where one of the words is in it. */
export function markWords(text: string, keyword: string): MarkedText[] {
  const words = wordsOf(keyword).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return [{ text, hit: false }]
  return text
    .split(new RegExp(`(${words.join('|')})`, 'gi'))
    .map((part, i) => ({ text: part, hit: i % 2 === 1 }))
    .filter((part) => part.text !== '')
}
