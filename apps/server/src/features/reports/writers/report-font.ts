/**
 * The font of PDF files: Noto Sans SC (SIL Open Font License 1.1, font/OFL.txt) with the characters of GBK, Latin, Greek,
 * Cyrillic and signs. Only what a file uses is put into it.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const unpack = promisify(brotliDecompress)

/** Eight megabytes that are needed a few times a day are not kept in memory. */
export const readReportFont = async (): Promise<Buffer> =>
  unpack(await readFile(new URL('font/noto-sans-sc.ttf.br', import.meta.url)))
