/** GET and PUT behind signed links; no token, the signature is the permission. */

import { ok } from '@ithings/contract/envelope.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { uploadScenes } from '@ithings/contract/features/files.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { showFigure } from '#background/gauges.ts'
import { openBody, takeRawBodies } from '#http/body-stream.ts'
import { asTransfer } from '#http/transfers.ts'
import type { FilesDeps } from './files-deps.ts'
import { isOneTime } from './one-time.ts'
import { sendFile } from './send-file.ts'
import { linkBase } from './signed-link.ts'
import { isScene, requireRoom, requireShare, ruleOf, temporary } from './upload.ts'

export interface LinkOptions {
  /** Bytes a second of one download of firmware; undefined: as fast as it goes. */
  bandwidth: number | undefined
  metrics: Registry
}

const firmware = 'productManage/ota/'
/** Downloads of firmware at a time and server; devices ask again. */
const mostDownloads = 2_000
/** Enough to follow it, also for a clock that is somewhat off; the download itself may take longer. */
const directSeconds = 600
const largestUpload = Math.max(...Object.values(uploadScenes).map((scene) => scene.maxBytes))

const pathOf = (request: FastifyRequest): string => (request.params as { '*': string })['*']

/** An upload address names the scene: temp/<business>/<scene>/... */
function limitOf(path: string): number {
  const scene = path.slice(temporary.length).split('/', 2).join('/')
  return isScene(scene) ? ruleOf(scene).maxBytes : 0
}

/**
 * Where the store hands out firmware by itself, so that it does not pass through here: our own link stays in front,
 * and a device needs nothing but to follow it. A pace can be kept only here.
 */
async function directLink(
  { files }: FilesDeps,
  path: string,
  method: string,
  name = '',
  { bandwidth }: LinkOptions,
): Promise<string | undefined> {
  if (!path.startsWith(firmware) || bandwidth !== undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
  return files.link(path, { method, seconds: directSeconds, name })
}

export async function installFileLinks(app: FastifyInstance, deps: FilesDeps, options: LinkOptions): Promise<void> {
  const { files, links } = deps
  let open = 0
  showFigure(options.metrics, 'ithings_firmware_downloads', 'Downloads of firmware that are under way', () => open)

  app.get(`${linkBase}*`, async (request, reply) => {
    const path = pathOf(request)
    const query = request.query as Record<string, string>
    links.check(path, 'get', query)
    const found = await files.stat(path)
    if (!found) throw refusal(errors.notFound, '文件不存在或已被删除')
    const direct = await directLink(deps, path, request.method, query.name, options)
    if (direct !== undefined) return reply.header('cache-control', 'no-store').redirect(direct)
    const heavy = path.startsWith(firmware) && request.method === 'GET'
    if (heavy) {
      if (open >= mostDownloads) {
        reply.header('retry-after', 60)
        throw new AppError(errors.rateLimited, { msg: phrase('下载过多，请稍后再试'), status: 503 })
      }
      open++
      reply.raw.once('close', () => open--)
    }
    asTransfer(request)
    const once = isOneTime(path)
    // Gone when all of it has left; an interrupted download may be tried again.
    if (once && request.method === 'GET') reply.raw.once('finish', () => void files.remove(path))
    return sendFile(request, reply, {
      path,
      ...found,
      name: query.name ?? '',
      whole: once,
      read: (range) => files.read(path, range),
      bandwidth: heavy ? options.bandwidth : undefined,
    })
  })

  await app.register((raw, _options, done) => {
    takeRawBodies(raw)
    raw.put(`${linkBase}*`, { bodyLimit: largestUpload, config: { slowBody: true } }, async (request) => {
      const path = pathOf(request)
      links.check(path, 'put', request.query as Record<string, string>)
      const { content, release } = openBody(request)
      try {
        await requireRoom(deps, Number(request.headers['content-length'] ?? 0))
        await files.write(path, content, limitOf(path))
        await requireShare(deps, path.slice(temporary.length))
      } finally {
        release()
      }
      return ok({ filePath: path })
    })
    done()
  })
}
