/** goals.md "Console": script of the first pages, brotli, as the build measured it. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Row, row } from '../row.ts'

const file = fileURLToPath(new URL('../../../apps/console/dist/script-sizes.json', import.meta.url))

interface PageSize {
  page: string
  kilobytes: number
  limit: number
}

export async function measureConsoleSize(): Promise<Row[]> {
  const pages = JSON.parse(await readFile(file, 'utf8')) as PageSize[]
  return pages.map(({ page, kilobytes, limit }) =>
    row({ area: 'Console', what: `${page}: script, brotli`, figure: kilobytes, unit: 'KB', reference: limit }),
  )
}
