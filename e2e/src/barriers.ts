/** What keeps people with a keyboard, a screen reader or weak eyes out of a page, as axe finds it. */
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules of the guidelines and good practice, and that what a button is called is what stands on it. */
const options = { rules: { 'label-content-name-mismatch': { enabled: true } }, resultTypes: ['violations' as const] }

/** One line for each element. */
export async function barriersOf(page: Page): Promise<string[]> {
  // Not by a script element, which the page's own policy refuses.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    // What stands in for something that is still loading says nothing, and soon goes.
    (chosen): Promise<AxeResults> =>
      (window as unknown as { axe: typeof axe }).axe.run({ exclude: ['.ant-skeleton'] }, chosen),
    options,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target, any, all, none }) => {
      const [why] = [...any, ...all, ...none]
      return `${id}: ${why?.message ?? ''} ${target.join(' ')} ${html.slice(0, 200)}`
    }),
  )
}
