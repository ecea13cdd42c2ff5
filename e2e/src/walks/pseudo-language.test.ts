/** The screens of every day in a language that nobody speaks: what bypasses the translations is found, and what is too wide. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { everydayPlaces } from '#english.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { overEdge, plainAmong, speakPseudo, textsOn, toPseudo, watchAnswers } from '#pseudo-language.ts'
import { makePlant, makePump, productID } from '#pump-plant.ts'
import { watchRest } from '#settled.ts'
import { administrator, giveSession, knownAdmin } from '#sign-in.ts'
import { addressOf, desk, goInside, openPage, pocket } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  const call = await makeCaller(platform, administrator)
  await makePlant(call)
  await makePump(call, 'P-01', '')
})
afterAll(async () => {
  if (platform) await discard(platform)
})

/** Names and signs that are the same in every language. */
const known = new Set([
  ...[
    'iThings',
    'English',
    'admin',
    'administrator',
    'Administrator',
    'UTC',
    'PostgreSQL',
    // The address at which passkeys work.
    'http',
    'localhost',
    'AND',
    'THEN',
    'IMEI',
    'MAC',
  ],
  ...['Topic', 'HMAC', 'SHA', 'JSON'],
  ...['mosquitto_pub', 'mosquitto', 'pub', 'Node', 'Python', 'method', 'RequestID', 'Ctrl'],
  // Of the library of components, which has translations of its own.
  ...['page', 'Select', 'Start', 'End', 'date'],
])

const places = [
  // The large screen has a design of its own for every size, and a walk of its own.
  ...everydayPlaces.filter((path) => path !== '/home'),
  ...['', '?tab=model', '?tab=topic', '?tab=devices'].map((tab) => `/deviceMangers/product/detail/${productID}${tab}`),
  ...[1, 5, 6, 8, 9, 10, 13].map((tab) => `/deviceMangers/device/detail/${productID}/P-01/${tab}`),
]

test('a word that bypasses the translations is found', () => {
  expect(toPseudo('Added {count, number} of <0>{name}</0>')).toBe('Åđđéđ {count, number} öƒ <0>{name}</0>~~~')
  expect(plainAmong(['Add product', toPseudo('Add product'), '一体化 P-01', 'JSON'], new Set(['JSON']))).toEqual([
    'Add product',
  ])
})

test('every text of the screens of every day is translated and fits a desk and a pocket', async () => {
  const page = await openPage(browser, platform, { viewport: desk, locale: 'en-US' })
  const rest = watchRest(page)
  const answered = watchAnswers(page)
  await speakPseudo(page)
  await giveSession(page, platform)
  await page.goto(addressOf(platform, '/account/index'))
  await page.getByRole('heading', { name: toPseudo('My account'), level: 1 }).waitFor()
  const found: string[] = []
  // Each screen is opened in the size in which the one before was looked at last.
  let sizes = [desk, pocket]
  for (const path of places) {
    await goInside(page, platform, path)
    for (const size of sizes) {
      if (page.viewportSize()?.width !== size.width) await page.setViewportSize(size)
      await rest()
      const said = await answered()
      const texts = (await textsOn(page)).filter((text) => !said.has(text))
      const faults = [...plainAmong(texts, known), ...(await overEdge(page))]
      for (const fault of faults) found.push(`${path} at ${size.width}: ${fault}`)
    }
    sizes = sizes.toReversed()
  }
  expect(found.join('\n')).toBe('')
})
