/**
 * The console's scripts and styles out of memory: a page asks for forty of them, and each look into their folder holds
 * up what devices say meanwhile. A name belongs to one content for ever, so what was read once stays true.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }
/** As the build writes them beside a file, the smallest first. */
const packings = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
]

const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((one) => new RegExp(`^\\s*${encoding}\\s*(;(?!\\s*q=0(\\.0*)?\\s*$)|$)`, 'i').test(one))

interface Asset {
  encoding?: string
  body: Buffer
}

function makeShelf(folder: string): (name: string, acceptEncoding: string) => Promise<Asset | undefined> {
  /** At most the files of the build, about 9 MB: names that do not exist are not kept. */
  const kept = new Map<string, Buffer>()
  const read = async (name: string) => {
    const body = kept.get(name) ?? (await readFile(join(folder, name)).catch(() => undefined))
    if (body) kept.set(name, body)
    return body
  }
  return async (name, acceptEncoding) => {
    for (const { encoding, ending } of packings) {
      const body = accepts(acceptEncoding, encoding) && (await read(name + ending))
      if (body) return { encoding, body }
    }
    const body = await read(name)
    return body && { body }
  }
}

export function installConsoleAssets(
  app: FastifyInstance,
  { base, folder, headers }: { base: string; folder: string; headers: Record<string, string> },
): void {
  const take = makeShelf(folder)
  app.get<{ Params: { name: string } }>(`${base}:name(^[\\w-]+\\.(?:js|css)$)`, async (request, reply) => {
    const { name } = request.params
    const found = await take(name, String(request.headers['accept-encoding'] ?? ''))
    if (!found) return reply.callNotFound()
    if (found.encoding) reply.header('content-encoding', found.encoding)
    return reply
      .headers({ ...headers, vary: 'accept-encoding' })
      .type(types[name.slice(name.lastIndexOf('.') + 1)] ?? '')
      .send(found.body)
  })
}
