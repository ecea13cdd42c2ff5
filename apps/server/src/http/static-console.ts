/** Serves the built console: immutable pre-compressed assets, and a page that is made anew for every request. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consolePolicy, filePolicy, type PolicyOptions } from './security-headers.ts'

/**
 * The console's scripts and styles out of memory: a page asks for forty of them, and each look into their folder holds
 * up what devices say meanwhile. A name belongs to one content for ever, so what was read once stays true.
 */
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

function makeStore(folder: string): (name: string, acceptEncoding: string) => Promise<Asset | undefined> {
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

function installConsoleAssets(
  app: FastifyInstance,
  { base, folder, headers }: { base: string; folder: string; headers: Record<string, string> },
): void {
  const take = makeStore(folder)
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

/** spec 9: base public path. */
export const consoleBase = '/front/iThingsCore/'

export interface ConsolePage {
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export interface ConsoleOptions extends PolicyOptions {
  distDir: string
  pwa: boolean
}

/** Re-read when the file changes, so that a rebuilt console needs no restart. */
function pageReader(file: string): () => Promise<string> {
  let cached: { text: string; at: number } | undefined
  return async () => {
    const at = (await stat(file)).mtimeMs
    if (cached?.at !== at) cached = { text: await readFile(file, 'utf8'), at }
    return cached.text
  }
}

export function makeConsolePage(options: ConsoleOptions): ConsolePage {
  const file = join(options.distDir, 'index.html')
  const read = pageReader(file)
  return {
    async send(_request, reply) {
      if (!existsSync(file)) throw new AppError(errors.notFound, { msg: phrase('控制台尚未构建，请用 npm start 启动') })
      const nonce = randomBytes(16).toString('base64')
      const page = (await read()).replaceAll('__CSP_NONCE__', nonce).replaceAll('__PWA__', options.pwa ? 'on' : 'off')
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-security-policy', consolePolicy(nonce, options))
        .send(page)
    },
  }
}

export async function installConsole(app: FastifyInstance, page: ConsolePage, distDir: string): Promise<void> {
  const toConsole = async (_request: FastifyRequest, reply: FastifyReply) => reply.redirect(consoleBase, 302)
  app.get('/', toConsole)
  app.get(consoleBase.slice(0, -1), toConsole)
  app.get(consoleBase, (request, reply) => page.send(request, reply))
  app.get(`${consoleBase}index.html`, (request, reply) => page.send(request, reply))
  if (!existsSync(distDir)) return
  installConsoleAssets(app, {
    base: `${consoleBase}assets/`,
    folder: join(distDir, 'assets'),
    headers: { 'content-security-policy': filePolicy, 'cache-control': 'public, max-age=31536000, immutable' },
  })
  await app.register(fastifyStatic, {
    root: distDir,
    prefix: consoleBase,
    preCompressed: true,
    wildcard: true,
    index: false,
    cacheControl: false,
    // Pictures, the service worker and the manifest keep their names and must be asked for every time.
    setHeaders: (reply) => reply.headers({ 'content-security-policy': filePolicy, 'cache-control': 'no-cache' }),
  })
}
