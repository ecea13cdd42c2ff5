/** Serves the built console: immutable pre-compressed assets, and a page that is made anew for every request. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { installConsoleAssets } from './console-assets.ts'
import { consolePolicy, filePolicy, type PolicyOptions } from './security-headers.ts'

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
      if (!existsSync(file)) throw new AppError(errors.notFound, { msg: '控制台尚未构建，请用 npm start 启动' })
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
