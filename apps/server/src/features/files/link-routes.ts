/** GET and PUT behind signed links; no token, the signature is the permission. */
import { Readable } from 'node:stream'
import { ok } from '@ithings/contract/envelope.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { uploadScenes } from '@ithings/contract/features/files.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FilesKit } from './files-kit.ts'
import { isOneTime } from './one-time.ts'
import { linkBase } from './signed-link.ts'

const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
}
const largestUpload = Math.max(...Object.values(uploadScenes).map((scene) => scene.maxBytes))

const pathOf = (request: FastifyRequest): string => (request.params as { '*': string })['*']

export async function installFileLinks(app: FastifyInstance, { files, links }: FilesKit): Promise<void> {
  app.get(`${linkBase}*`, async (request, reply) => {
    const path = pathOf(request)
    const query = request.query as Record<string, string>
    links.check(path, 'get', query)
    const found = await files.stat(path)
    if (!found) throw new AppError(errors.notFound, { detail: '文件不存在或已被删除' })
    const extension = path.split('.').at(-1)?.toLowerCase() ?? ''
    const disposition = query.name ? `attachment; filename*=UTF-8''${encodeURIComponent(query.name)}` : 'inline'
    const once = isOneTime(path)
    // Gone when all of it has left; an interrupted download may be tried again.
    if (once && request.method === 'GET') reply.raw.once('finish', () => void files.remove(path))
    return reply
      .type(types[extension] ?? 'application/octet-stream')
      .header('content-length', found.size)
      .header('content-disposition', disposition)
      .header('cache-control', once ? 'no-store' : 'private, max-age=600')
      .send(files.read(path))
  })

  await app.register((raw, _options, done) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    raw.put(`${linkBase}*`, { bodyLimit: largestUpload }, async (request) => {
      const path = pathOf(request)
      links.check(path, 'put', request.query as Record<string, string>)
      // A refused upload must not take the connection with it, or nobody hears of the refusal.
      const content = request.body instanceof Readable ? request.body.iterator({ destroyOnReturn: false }) : []
      await files.write(path, Readable.from(content), largestUpload)
      return ok({ filePath: path })
    })
    done()
  })
}
