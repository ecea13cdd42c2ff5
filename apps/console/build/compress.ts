/** Writes .br and .gz beside every asset, so that the server never compresses the same file twice. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin, ResolvedConfig } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const textual = new Set(['.js', '.css', '.svg', '.json', '.webmanifest', '.map'])
/** Below this a compressed copy saves nothing. */
const smallest = 1024

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file)
  if (content.length < smallest) return
  const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
  await writeFile(`${file}.br`, await brotli(content, options))
  await writeFile(`${file}.gz`, await zip(content, { level: 9 }))
}

export function compressAssets(): Plugin {
  let config: ResolvedConfig
  let written = false
  return {
    name: 'ithings:compress',
    apply: 'build',
    enforce: 'post',
    configResolved(resolved) {
      config = resolved
    },
    writeBundle() {
      written = true
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler(error) {
        // A build that failed comes here too, with nothing to compress.
        if (error || !written) return
        const out = join(config.root, config.build.outDir)
        const files = await readdir(out, { recursive: true })
        const texts = files.filter((name) => textual.has(extname(name)))
        await Promise.all(texts.map((name) => compressFile(join(out, name))))
      },
    },
  }
}
