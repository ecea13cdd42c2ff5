/** The Markdown that our guides use, and the guides themselves: nothing in them may lead nowhere. */

import { readFileSync } from 'node:fs'
import type { Language } from '@ithings/contract/text.ts'
import { describe, expect, test } from 'vitest'
import { type HelpPage, helpPages } from '#kit/paths.ts'
import { resolveLink } from './guide-links.ts'
import type { Inline } from './markdown/parse-inline.ts'
import { parseInline, textOf } from './markdown/parse-inline.ts'
import { type Block, parseMarkdown } from './markdown/parse-markdown.ts'
import { samePlace, sectionsOf } from './markdown/sections.ts'
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

const folders = { zh: 'docs', en: 'docs/en' } as const satisfies Record<Language, string>
function guideIn(language: Language, page: HelpPage) {
  const file = new URL(`../../../../../${folders[language]}/${page}.md`, import.meta.url)
  const blocks = parseMarkdown(readFileSync(file, 'utf8'))
  return { blocks, sections: sectionsOf(blocks) }
}
const guidesIn = (language: Language) =>
  helpPages.map(({ key, title }) => ({ page: key, title, sections: guideIn(language, key).sections }))

function linksIn(parts: readonly Inline[]): string[] {
  return parts.flatMap((part) => (part.kind === 'link' ? [part.to] : part.kind === 'strong' ? linksIn(part.parts) : []))
}
function linksOf(block: Block): string[] {
  if (block.kind === 'heading' || block.kind === 'paragraph') return linksIn(block.parts)
  if (block.kind === 'list') return block.items.flat().flatMap(linksOf)
  if (block.kind === 'table') return [block.head, ...block.rows].flat().flatMap(linksIn)
  return block.kind === 'quote' ? block.blocks.flatMap(linksOf) : []
}

describe.each(['zh', 'en'] as const)('guides in %s', (language) => {
  test.each(helpPages)('every link inside $key leads to a heading that is there', ({ key }) => {
    const broken = guideIn(language, key)
      .blocks.flatMap(linksOf)
      .filter((target) => {
        const link = resolveLink(target, key)
        if (link.kind !== 'inside') return false
        const [path = '', hash = ''] = link.to.split('#')
        const { sections } = guideIn(language, path.replace('/help/', '') as HelpPage)
        return hash !== '' && !sections.some(({ slug }) => slug === decodeURIComponent(hash))
      })
    expect(broken).toEqual([])
  })
})

test.each(helpPages)('$key has the same sections in both languages', ({ key }) => {
  const outline = (language: Language) =>
    guideIn(language, key).sections.flatMap(({ level }) => (level <= 3 ? [level] : []))
  expect(outline('en')).toEqual(outline('zh'))
})

test('a heading leads to the one at its place in the other language, else to the beginning of its chapter', () => {
  const chinese = sectionsOf(parseMarkdown('# 手册\n## 1. 设备\n### 新增\n### 删除\n## 2. 告警'))
  const english = sectionsOf(parseMarkdown('# Guide\n## 1. Devices\n### Add\n## 2. Alarms'))
  expect(['手册', '新增', '删除', '2-告警', '没有'].map((slug) => samePlace(slug, chinese, english))).toEqual([
    'guide',
    'add',
    '1-devices',
    '2-alarms',
    undefined,
  ])
  expect(samePlace('add', english, chinese)).toBe('新增')
})

test('a link to a file that is not bundled stays words; a foreign one opens outside', () => {
  expect(resolveLink('../bench/README.md', 'device-guide')).toEqual({ kind: 'none' })
  expect(resolveLink('https://tus.io/x', 'api')).toEqual({ kind: 'outside', href: 'https://tus.io/x' })
  expect(resolveLink('#2-x', 'device-guide')).toEqual({ kind: 'inside', to: '/help/device-guide#2-x' })
})

test('the search finds sections that hold all words, those with them in the title first', () => {
  const guides = guidesIn('zh')
  const hits = searchGuides(guides, '设备影子')
  expect(hits[0]).toMatchObject({ page: 'operator-guide', title: '9. 设备影子' })
  expect(hits.length).toBeGreaterThan(1)
  expect(searchGuides(guides, 'hmacsha256 connid').map(({ page, title }) => `${page} ${title}`)).toContain(
    'device-guide 参数',
  )
  expect(searchGuides(guides, '  ')).toEqual([])
  expect(searchGuides(guides, '绝对没有的词')).toEqual([])
  const english = searchGuides(guidesIn('en'), 'Device Shadow')
  expect(english[0]?.title.toLowerCase()).toContain('device shadow')
  expect(markWords('a.b A', 'a .')).toEqual([
    { text: 'a', hit: true },
    { text: '.', hit: true },
    { text: 'b ', hit: false },
    { text: 'A', hit: true },
  ])
})
