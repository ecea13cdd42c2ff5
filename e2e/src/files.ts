/** Files that a person brings along and takes away. */
import { readFile } from 'node:fs/promises'
import { ZipBuffer } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'

/** What arrives in the download folder after the act. */
export async function downloaded(page: Page, act: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  const bytes = await readFile(await download.path())
  return { name: download.suggestedFilename(), text: bytes.toString('utf8'), bytes }
}

/** What an export gives: the kind of file is chosen behind the button, and a dialog follows the job until the file is there. */
export async function exported(page: Page, button: Locator, kind: 'CSV' | 'Excel (XLSX)' | 'Parquet') {
  await button.click()
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
  const job = page.getByRole('dialog').filter({ hasText: /导出/ })
  const file = await downloaded(page, () => job.getByRole('button', { name: /\.(csv|xlsx|parquet)$/ }).click())
  await job.getByRole('button', { name: '关闭', exact: true }).last().click()
  return file
}

/** The rows of the first sheet, texts and numbers as they stand there; by the heads of the columns. */
export function sheetOf(xlsx: Buffer): Record<string, string>[] {
  const xml = new ZipBuffer(xlsx).get('xl/worksheets/sheet1.xml').contentSync().toString('utf8')
  const [heads = [], ...rows] = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c r="([A-Z]+)[^>]*>(?:<is>)?<(?:t|v)[^>]*>(.*?)<\/(?:t|v)>/gs)].map(
      ([, letters = '', value = '']) => [letters, value] as const,
    ),
  )
  const headOf = new Map(heads)
  return rows.map((cells) => Object.fromEntries(cells.map(([letters, value]) => [headOf.get(letters) ?? '', value])))
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
