/** The kit gallery over HTTP. It is built when the first page is asked for: most runs of a single walk need none. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const configFile = fileURLToPath(new URL('../../../apps/console/gallery.vite.config.ts', import.meta.url))

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

async function buildInto(folder: string): Promise<string> {
  const outDir = join(folder, 'gallery')
  await build({ configFile, logLevel: 'error', build: { outDir } })
  return outDir
}

export async function openGalleryServer(folder: string): Promise<{ url: string; close: () => Promise<void> }> {
  let built: Promise<string> | undefined
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery')
    try {
      built ??= buildInto(folder)
      const file = await readFile(join(await built, pathname))
      response.writeHead(200, {
        'content-type': types[extname(pathname)] ?? 'application/octet-stream',
        // The names of built files change with what is in them.
        'cache-control': pathname.startsWith('/assets/') ? 'max-age=3600, immutable' : 'no-cache',
      })
      response.end(file)
    } catch (error) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await built?.catch(() => undefined)
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
