/** Large files by the tus protocol, behind the token and the permission of what they are uploaded for. */

import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import { resumableUpload, uploadScenes } from '@ithings/contract/features/files.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { Server, type ServerOptions, type Upload } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openBody, takeRawBodies } from '#http/body-stream.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { passGate } from '#http/route.ts'
import type { FilesDeps } from '../files-deps.ts'
import { requireRoom, sceneOf } from '../upload.ts'
import { makeUploadLocker } from './upload-locker.ts'
import { addRow, findRow, finishedPath } from './upload-rows.ts'
import { makeUploadStore } from './upload-store.ts'

// Refusals of the protocol's server in the platform's words; the status stays, clients act on it.

const texts: Record<number, Phrase> = {
  404: phrase('上传不存在或已过期，请重新上传'),
  409: phrase('续传的位置与平台已有的不一致'),
  410: phrase('上传已过期，请重新上传'),
  412: phrase('缺少 Tus-Resumable 请求头'),
  413: phrase('文件超过上限'),
}

function explainRefusal(failure: unknown, status: number, text: string): unknown {
  if (failure instanceof AppError) return failure
  if (failure instanceof Error && !('status_code' in failure)) return failure
  const msg = texts[status]
  if (status === 413) return new AppError(errors.outOfRange, { ...(msg && { msg }), status, cause: failure })
  const entry = status === 404 || status === 410 ? errors.notFound : errors.parameter
  return new AppError(entry, { ...(msg ? { msg } : { detail: text.trim() }), status, cause: failure })
}

const { path, filePathHeader } = resumableUpload
const rule = uploadScenes['productManage/ota']
const longestName = 128

interface Caller {
  user: SignedInUser
  /** What went wrong, as it was thrown: the protocol's server knows texts only. */
  failure?: unknown
}

function readName({ metadata }: Upload): string {
  const { filename, business, scene } = metadata ?? {}
  sceneOf({ business: business ?? '', scene: scene ?? '' })
  if (business !== 'productManage' || scene !== 'ota') {
    throw badField('scene', '{business}/{scene} 不支持断点续传', { business, scene })
  }
  if (!filename || filename.length > longestName) {
    throw badField('filename', '文件名须为 1 到 {most} 个字符', { most: longestName })
  }
  return filename
}

function makeTus(deps: FilesDeps, callerOf: (request: object) => Caller): Server {
  const options: Partial<ServerOptions> = {
    relativeLocation: true,
    maxSize: rule.maxBytes,
    namingFunction: () => randomUUID(),
    async onUploadCreate(request, upload) {
      const size = upload.size ?? 0
      const file_name = readName(upload)
      if (size === 0) throw refusal(errors.parameter, '{label}是空的', { label: phrase(rule.label) })
      await requireRoom(deps, size)
      await addRow(deps, { upload_id: upload.id, user_id: callerOf(request).user.userID, file_name, size })
      return {}
    },
    /** Somebody else's upload is not there. */
    async onIncomingRequest(request, id) {
      if (request.method === 'POST') return
      const row = await findRow(deps, id)
      if (row?.user_id !== callerOf(request).user.userID) {
        throw new AppError(errors.notFound, { msg: phrase('上传不存在或已过期，请重新上传'), status: 404 })
      }
    },
    onUploadFinish: async (_request, { id }) => ({ headers: { [filePathHeader]: finishedPath(id) } }),
    onResponseError(request, failure) {
      callerOf(request).failure = failure
      return undefined
    },
  }
  return new Server({ ...options, path, datastore: makeUploadStore(deps), locker: makeUploadLocker(deps.locks) })
}

function toWebRequest(request: FastifyRequest, reply: FastifyReply, content: Readable): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers.set(name, String(value))
  const { method } = request
  const web = new Request(`http://localhost${request.url}`, {
    method,
    headers,
    ...(method === 'HEAD' ? {} : { body: Readable.toWeb(content) as ReadableStream, duplex: 'half' }),
  })
  // Lets the protocol's server keep what arrived before a connection broke.
  return Object.assign(web, { runtime: { name: 'node', node: { req: request.raw, res: reply.raw } } })
}

const ownHeaders = /^(tus-|upload-|location$|cache-control$)/

function answer(reply: FastifyReply, response: Response, id: string): FastifyReply {
  for (const [name, value] of response.headers) if (ownHeaders.test(name)) reply.header(name, value)
  const { headers } = response
  if (headers.has('upload-length') && headers.get('upload-length') === headers.get('upload-offset')) {
    reply.header(filePathHeader, finishedPath(id))
  }
  return reply.status(response.status).send()
}

export async function installResumable(app: FastifyInstance, deps: FilesDeps): Promise<void> {
  const callers = new WeakMap<object, Caller>()
  const tus = makeTus(deps, (request) => {
    const caller = callers.get(request)
    if (!caller) throw new AppError(errors.notLoggedIn)
    return caller
  })
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller: Caller = { user: await passGate(rule.usedBy, request, reply, deps.gate) }
    const { content, release } = openBody(request)
    const web = toWebRequest(request, reply, content)
    callers.set(web, caller)
    const response = await tus.handleWeb(web).finally(release)
    if (response.status < 400) return answer(reply, response, String((request.params as { id?: string }).id))
    throw explainRefusal(caller.failure, response.status, await response.text())
  }
  await app.register((raw, _options, done) => {
    takeRawBodies(raw)
    const options = { bodyLimit: rule.maxBytes, config: { slowBody: true } }
    raw.route({ ...options, method: 'POST', url: path, handler: handle })
    raw.route({ ...options, method: ['HEAD', 'PATCH', 'DELETE'], url: `${path}/:id`, handler: handle })
    done()
  })
}
