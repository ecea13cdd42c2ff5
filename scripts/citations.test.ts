// A model repository with planted faults; the real one is checked by scripts/test.mjs.
import { expect, test } from 'vitest'
import { citationFaults, repositoryFiles } from './citations.mjs'
import { root } from './repository.mjs'

const documents = {
  'docs/spec.md': '# Specification\n\n## 2. Screens\n',
  'docs/protocol/wire.md': [
    '# Wire',
    '## 4. Devices',
    '### 4.2 Info',
    '**Pairing.** A request waits.',
    '| Enumerated bool | 1 yes |',
    '```md\n## 9. In a block\n```',
    '## 5. Groups and "trees"',
  ].join('\n'),
  'README.md': '# Model\n',
  'bench/README.md': '# Bench\n## 1. Run\n',
  'docs/images/a.png': '',
}
const faultsOf = (files: Record<string, string>) => citationFaults({ ...documents, ...files })

test.each([
  `// wire.md says it`,
  `/** (wire.md 4, 4.2; spec 2): why */`,
  `// docs/protocol/wire.md 4 to 5`,
  `// wire.md 4.2 "pairing", "Enumerated bool"`,
  `// wire.md "Info": 17 of them`,
  `// wire.md 4, 12 devices`,
  `/* spec 2: 404 page */`,
  `test('spec 2: a name')`,
  `// see README.md and bench/README.md 1`,
  `const path = '../nowhere/gone.md'`,
  `expect(link('[a](gone.md#b)'))`,
  `file.md5 spec of 3`,
])('%s is fine', (text) => {
  expect(faultsOf({ 'src/a.ts': text })).toEqual([])
})

test.each([
  [`gone.md 4`, `gone.md is not in the repository`],
  [`old/wire.md 4`, `old/wire.md is not in the repository`],
  [`wire.md 4.3`, `wire.md has no section 4.3`],
  [`wire.md 4 to 7`, `wire.md has no section 7`],
  [`wire.md 9`, `wire.md has no section 9`],
  [`wire.md 5 "Pairing"`, `wire.md has no "Pairing" in section 5`],
  [`wire.md 4.2 "Pairing", "Queue"`, `wire.md has no "Queue" in section 4.2`],
  [`wire.md "request waits"`, `wire.md has no "request waits"`],
  ['spec 0.1', `spec.md has no section 0.1`],
  ['as in mockup 12', 'mockup 12 is not in the repository'],
])('%s is a fault', (words, why) => {
  for (const path of ['src/a.ts', 'src/a.tsx', 'src/a.css', 'a.mjs', 'src/a.js', 'src/a.sql', 'a.yml']) {
    expect(faultsOf({ [path]: `\n/* ${words}) */` })).toEqual([`${path}:2: ${why}`])
  }
  expect(faultsOf({ 'docs/notes.txt': words })).toEqual([])
})

test('one name of two documents is a fault', () => {
  expect(faultsOf({ 'docs/wire.md': '# Other', 'src/a.ts': `// wire.md` })).toEqual([
    `src/a.ts:1: wire.md is the name of several documents`,
  ])
})

test('a document in two languages is cited by a term of either', () => {
  const guides = { 'docs/guide.md': '# 手册\n## 1. 告警', 'docs/en/guide.md': '# Guide\n## 1. Alarms' }
  expect(faultsOf({ ...guides, 'src/a.ts': `// guide.md 1 "告警", guide.md 1 "Alarms"` })).toEqual([])
  expect(faultsOf({ ...guides, 'src/a.ts': `// guide.md 1 "Scenes"` })).toEqual([
    `src/a.ts:1: guide.md has no "Scenes" in section 1`,
  ])
})

test('links of documents lead to files, folders and headings', () => {
  const links = (text: string) => faultsOf({ 'docs/protocol/page.md': text })
  expect(
    links('# Top\n[a](wire.md#42-info) [b](../../bench/) ![c](../images/a.png) [d](#top) [e](https://example.org)'),
  ).toEqual([])
  expect(links('[a](gone.md) [b](wire.md#43-none)\n[c](#nothing)')).toEqual([
    'docs/protocol/page.md:1: the link to gone.md leads nowhere',
    'docs/protocol/page.md:1: docs/protocol/wire.md has no heading #43-none',
    'docs/protocol/page.md:2: docs/protocol/page.md has no heading #nothing',
  ])
})

test('this repository is read as a whole, and nothing that is not its own', () => {
  const files = repositoryFiles(root)
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['.dependency-cruiser.mjs', 'docs/spec.md', 'scripts/citations.mjs']),
  )
  expect(Object.keys(files).filter((path) => path.includes('node_modules/'))).toEqual([])
})
