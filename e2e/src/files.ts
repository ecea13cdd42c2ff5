/** Files that a person brings along and takes away. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** What arrives in the download folder after the act. */
export async function downloaded(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

function gbkTable(): Map<string, [number, number]> {
  const decoder = new TextDecoder('gbk')
  const table = new Map<string, [number, number]>()
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const letter = decoder.decode(Uint8Array.of(lead, trail))
      if (letter.length === 1 && !table.has(letter)) table.set(letter, [lead, trail])
    }
  }
  return table
}

/** Text as a Chinese spreadsheet saves it; Node only reads this encoding, so the table is turned round. */
export function toGbk(text: string): Buffer {
  const table = gbkTable()
  const bytes = [...text].flatMap((letter) => {
    if (letter.charCodeAt(0) < 0x80) return [letter.charCodeAt(0)]
    const pair = table.get(letter)
    if (!pair) throw new Error(`GBK has no ${letter}`)
    return pair
  })
  return Buffer.from(bytes)
}
