/**
 * A language that nobody speaks: English with accents, and a third longer. Whatever is shown without accents has bypassed
 * `t`; whatever then is too wide has no room for other languages. It is made of the catalogues on their way to the page, so
 * the product knows nothing of it.
 */
import type { Page } from 'playwright-core'

const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const accented = 'ÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽåƀçđéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýž'

/** Places for values and elements stay what they are. */
const places = /(\{\w+(?:, number)?\}|<\/?\d+\/?>)/

export function toPseudo(text: string): string {
  let letters = 0
  const accent = (letter: string) => {
    letters += 1
    return accented[plain.indexOf(letter)] ?? letter
  }
  const said = text.split(places).map((part, i) => (i % 2 ? part : part.replaceAll(/[a-z]/gi, accent)))
  // In words of five: a line breaks between them as between others.
  const longer = '~~~~~ '.repeat(letters).slice(0, Math.ceil(letters / 3))
  return `${said.join('')}${longer.trimEnd()}`
}

/** Every catalogue, and each shelf of several, is a module of its own: another one takes its place and says the same in accents. */
export async function speakPseudo(page: Page): Promise<void> {
  await page.route(/\/assets\/(en|frame|later)-[^/?]*\.js$/, (route) => {
    const [file = ''] = /[^/]+$/.exec(new URL(route.request().url()).pathname) ?? []
    const body = `import * as real from './${file}?real'
const plain = ${JSON.stringify(plain)}, accented = ${JSON.stringify(accented)}, places = ${places}
const toPseudo = ${toPseudo}
const accent = (catalogue) => Object.fromEntries(Object.entries(catalogue).map(([key, text]) => [key, toPseudo(text)]))
export default real.default && accent(real.default)
export const texts = real.texts?.map(accent)`
    return route.fulfill({ contentType: 'text/javascript', body })
  })
}

/** Topics and places of topics are the same in every language. */
const technical = /\$\S+|\{\w+\}/g

/** Of texts on a page those with a plain word in them that is none of the given. */
export const plainAmong = (texts: readonly string[], known: ReadonlySet<string>): string[] =>
  texts.filter((text) =>
    (text.replaceAll(technical, '').match(/(?<![\p{L}\d])[a-z]{3,}(?![\p{L}\d])/giu) ?? []).some(
      (word) => !known.has(word),
    ),
  )

/** What is drawn as text, and what stands in empty fields. Code and what people wrote is marked by its look. */
export const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>()
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const text = node.textContent?.trim()
      const home = node.parentElement
      if (
        text &&
        home?.checkVisibility() &&
        !home.closest('.mono, .mono-payload, code, pre, .cm-editor, script, style')
      )
        found.add(text)
    }
    for (const field of document.querySelectorAll<HTMLInputElement>('[placeholder]'))
      if (field.checkVisibility()) found.add(field.placeholder)
    return [...found]
  })

/** What reaches over the right edge of the page, the innermost of it. */
export const overEdge = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const over = [...document.body.querySelectorAll('*')].filter((one) => {
      const { right, width } = one.getBoundingClientRect()
      return width > 0 && Math.ceil(right) >= scrollWidth
    })
    const inner = over.filter((one) => !over.some((other) => other !== one && one.contains(other)))
    return [`${scrollWidth - clientWidth} px too wide`, ...inner.map((one) => one.outerHTML.slice(0, 200))]
  })

/** Every text that the server has answered so far: it says its own in English, and has tests of its own for that. */
export function watchAnswers(page: Page): () => Promise<ReadonlySet<string>> {
  const texts = new Set<string>()
  const underway: Promise<void>[] = []
  const gather = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value.trim())
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) gather(one)
  }
  page.on('response', (response) => {
    if (!response.url().includes('/api/v1/')) return
    // An answer that nobody waited for may be gone.
    underway.push(response.json().then(gather, () => undefined))
  })
  return async () => {
    await Promise.all(underway.splice(0))
    return texts
  }
}
