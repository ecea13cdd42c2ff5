/** What nobody should see on the large screen: rows that a list cuts, and what the map's buttons lie on. */
import type { Page } from 'playwright-core'

export const homeFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const all = (selector: string) =>
      Array.from(document.querySelectorAll(selector), (node) => ({ node, box: node.getBoundingClientRect() }))
    const lists = all('.home-rows')
    const cut = lists.flatMap(({ node: list, box: { top, bottom } }) =>
      Array.from(list.children)
        .map((row) => ({ text: row.textContent, box: row.getBoundingClientRect() }))
        // What is out of sight altogether is scrolled to; pixels of the browser are rounded.
        .filter(({ box }) => box.bottom > top + 1 && box.top < bottom - 1)
        .filter(({ box }) => box.top < top - 1 || box.bottom > bottom + 1)
        .map(({ text }) => `cut: ${text}`),
    )
    const marks = all('.home-spot, .home-spot em, .home-map-legend, .home-products, .home-worst')
    const covered = all('.home-zoom button').flatMap(({ box: a }) =>
      marks
        .filter(({ box: b }) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map(({ node }) => `below a button of the map: ${node.textContent}`),
    )
    const missing = [
      ...(lists.length === 0 ? ['no list'] : []),
      ...(marks.some(({ node }) => node.classList.contains('home-spot')) ? [] : ['no cluster']),
    ]
    return [...cut, ...covered, ...missing]
  })
