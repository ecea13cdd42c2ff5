/** The Markdown that our guides use, and the guides themselves: nothing in them may lead nowhere. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type HelpPage, helpPages } from '#kit/paths.ts'
import { resolveLink } from './guide-links.ts'
import type { Inline } from './markdown/parse-inline.ts'
import { parseInline, textOf } from './markdown/parse-inline.ts'
import { type Block, parseMarkdown } from './markdown/parse-markdown.ts'
import { sectionsOf } from './markdown/sections.ts'
import { markWords, searchGuides } from './search-guides.ts'

test('words: code keeps its signs, bold and links may hold code', () => {
  expect(parseInline('a `x **y** [z](w)` **b `c`** [d `e`](f.md#g)')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'code', text: 'x **y** [z](w)' },
    { kind: 'text', text: ' ' },
    {
      kind: 'strong',
      parts: [
        { kind: 'text', text: 'b ' },
        { kind: 'code', text: 'c' },
      ],
    },
    { kind: 'text', text: ' ' },
    {
      kind: 'link',
      to: 'f.md#g',
      parts: [
        { kind: 'text', text: 'd ' },
        { kind: 'code', text: 'e' },
      ],
    },
  ])
})

test('blocks: headings, wrapped paragraphs, lists in lists, tables with bars, code, quotes', () => {
  const blocks = parseMarkdown(
    [
      '# 1. 安装与 `启动`',
      'one',
      'two',
      '',
      '- a',
      '  more',
      '  - b',
      '- c',
      '',
      '2. x',
      '3. y',
      '',
      '| p | q |',
      '|---|---|',
      '| `a|b` | c \\| d |',
      '',
      '```sh',
      '# no heading',
      '- no list',
      '```',
      '> **q**',
    ].join('\n'),
  )
  expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'list', 'list', 'table', 'code', 'quote'])
  expect(blocks[0]).toMatchObject({ level: 1, slug: '1-安装与-启动' })
  expect(blocks[1]).toEqual({ kind: 'paragraph', parts: [{ kind: 'text', text: 'one two' }] })
  expect(blocks[2]).toMatchObject({
    ordered: false,
    items: [[{ kind: 'paragraph' }, { kind: 'list', items: [[{ kind: 'paragraph' }]] }], [{ kind: 'paragraph' }]],
  })
  expect(blocks[3]).toMatchObject({ ordered: true, start: 2 })
  const table = blocks[4] as Extract<Block, { kind: 'table' }>
  expect(table.rows.map((row) => row.map(textOf))).toEqual([['a|b', 'c | d']])
  expect(blocks[5]).toEqual({ kind: 'code', language: 'sh', text: '# no heading\n- no list' })
})

test('equal headings get addresses of their own', () => {
  expect(sectionsOf(parseMarkdown('## 限制\nx\n## 限制\ny')).map(({ slug, text }) => [slug, text])).toEqual([
    ['限制', 'x'],
    ['限制-1', 'y'],
  ])
})

const guides = helpPages.map(({ key, title }) => {
  const blocks = parseMarkdown(readFileSync(new URL(`../../../../../docs/${key}.md`, import.meta.url), 'utf8'))
  return { page: key, title, blocks, sections: sectionsOf(blocks) }
})
const slugsOf = (page: HelpPage) =>
  new Set(guides.find((guide) => guide.page === page)?.sections.map(({ slug }) => slug))

function linksIn(parts: readonly Inline[]): string[] {
  return parts.flatMap((part) => (part.kind === 'link' ? [part.to] : part.kind === 'strong' ? linksIn(part.parts) : []))
}
function linksOf(block: Block): string[] {
  if (block.kind === 'heading' || block.kind === 'paragraph') return linksIn(block.parts)
  if (block.kind === 'list') return block.items.flat().flatMap(linksOf)
  if (block.kind === 'table') return [block.head, ...block.rows].flat().flatMap(linksIn)
  return block.kind === 'quote' ? block.blocks.flatMap(linksOf) : []
}

test.each(guides)('every link inside $page leads to a heading that is there', ({ page, blocks }) => {
  const broken = blocks.flatMap(linksOf).filter((target) => {
    const link = resolveLink(target, page)
    if (link.kind !== 'inside') return false
    const [path = '', hash = ''] = link.to.split('#')
    const known = slugsOf(path.replace('/help/', '') as HelpPage)
    return hash !== '' && !known.has(decodeURIComponent(hash))
  })
  expect(broken).toEqual([])
})

test('a link to a file that is not bundled stays words; a foreign one opens outside', () => {
  expect(resolveLink('../bench/README.md', 'device-guide')).toEqual({ kind: 'none' })
  expect(resolveLink('https://tus.io/x', 'api')).toEqual({ kind: 'outside', href: 'https://tus.io/x' })
  expect(resolveLink('#2-x', 'device-guide')).toEqual({ kind: 'inside', to: '/help/device-guide#2-x' })
})

test('the search finds sections that hold all words, those with them in the title first', () => {
  const hits = searchGuides(guides, '设备影子')
  expect(hits[0]).toMatchObject({ page: 'operator-guide', title: '9. 设备影子' })
  expect(hits.length).toBeGreaterThan(1)
  expect(searchGuides(guides, 'hmacsha256 connid').map(({ page, title }) => `${page} ${title}`)).toContain(
    'device-guide 参数',
  )
  expect(searchGuides(guides, '  ')).toEqual([])
  expect(searchGuides(guides, '绝对没有的词')).toEqual([])
  expect(markWords('a.b A', 'a .')).toEqual([
    { text: 'a', hit: true },
    { text: '.', hit: true },
    { text: 'b ', hit: false },
    { text: 'A', hit: true },
  ])
})
