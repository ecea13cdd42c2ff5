import { afterEach, expect, test, vi } from 'vitest'
import { downloadByLink } from './download.ts'

afterEach(() => vi.unstubAllGlobals())

/** As much of a page as a link needs; what a click leads to is written down while the link is on the page. */
function fakePage() {
  const onPage = new Set<object>()
  const clicked: { href: string; download: string }[] = []
  const createElement = (tag: string) => {
    const link = {
      href: '',
      download: '',
      rel: '',
      click: () => {
        if (tag === 'a' && onPage.has(link)) clicked.push({ href: link.href, download: link.download })
      },
      remove: () => onPage.delete(link),
    }
    return link
  }
  vi.stubGlobal('document', { createElement, body: { append: (node: object) => onPage.add(node) } })
  return { onPage, clicked }
}

test('spec 7: a file is downloaded by a link with its name, and the link does not stay', () => {
  const { onPage, clicked } = fakePage()
  downloadByLink('/api/v1/file/7', 'tsl.json')
  expect(clicked).toEqual([{ href: '/api/v1/file/7', download: 'tsl.json' }])
  expect(onPage.size).toBe(0)
})
