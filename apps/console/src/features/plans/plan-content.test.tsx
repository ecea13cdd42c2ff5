// @vitest-environment happy-dom
/** What a stranger wrote about a plan is shown as the characters that it has: no HTML, no Markdown, nothing hidden. */
import { afterEach, expect, test } from 'vitest'
import { clear, show, words } from '#kit/testing/show.tsx'
import { PlanContent } from './parts/plan-drawer.tsx'
import { specText, titleOf } from './plan-words.ts'

afterEach(clear)

const plan = {
  id: 7,
  title: 'x',
  reason: '<img src=x onerror="alert(1)"> **bold** [link](https://evil.example)\u202e\u200b',
  state: 1,
  createdBy: 'administrator',
  keyName: '<b>key</b>',
  origin: 'assistant',
  creates: 0,
  updates: 1,
  deletes: 0,
  createdTime: 1,
  decidedBy: '',
  decidedTime: 0,
  decision: '',
  rev: 1,
  changes: [],
}

test('the reason of a plan is plain text', async () => {
  show(<PlanContent plan={plan} />)
  await expect
    .poll(words)
    .toContain('<img src=x onerror="alert(1)"> **bold** [link](https://evil.example)\\u{202E}\\u{200B}')
  expect(words()).toContain('<b>key</b>')
  expect(document.querySelector('blockquote *, img, a')).toBeNull()
})

test('title and difference hide nothing', () => {
  expect(titleOf({ id: 7, title: '改\u202e\u{e0041}名' })).toBe('改\\u{202E}\\u{E0041}名')
  expect(specText({ url: 'a\u2066b' })).toContain('a\\u{2066}b')
})
