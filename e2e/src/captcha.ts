/** Reads the captcha picture for the walk: the answer stands in the database beside the id of the shown picture. */
import { getCaptcha } from '@ithings/contract/features/users.ts'
import type { Page } from 'playwright-core'
import { openDatabase } from './database.ts'
import type { Platform } from './platform.ts'
import { captchaPicture } from './sign-in.ts'
import { soon } from './visit.ts'

interface Picture {
  codeID: string
  url: string
}

/** Call before the login page is opened. */
export function watchCaptcha(page: Page): () => Promise<Picture> {
  const seen: Picture[] = []
  page.on('response', (response) => {
    if (!response.url().endsWith(getCaptcha.path) || !response.ok()) return
    response.json().then(
      ({ data }) => seen.push(data),
      () => undefined,
    )
  })
  return async () => {
    const shown = async () => {
      const src = await captchaPicture(page).getAttribute('src')
      return seen.find((picture) => picture.url === src)
    }
    await soon(shown).toBeDefined()
    return (await shown()) as Picture
  }
}

export async function answerOf(platform: Platform, { codeID }: Pick<Picture, 'codeID'>): Promise<string> {
  const database = await openDatabase(platform)
  try {
    const { rows } = await database.query('select answer from captcha where code_id = $1', [codeID])
    return rows[0]?.answer ?? ''
  } finally {
    await database.end()
  }
}
