/** A multipart form: the file part is spooled to disk in passing, the other parts are the body. */

import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { FastifyRequest } from 'fastify'

export interface UploadedFile {
  /** As the sender named it; never a path of ours. */
  name: string
  /** Lies there until the handler has answered. */
  path: string
  size: number
}

export interface ReceivedForm {
  fields: Record<string, unknown>
  file: UploadedFile | undefined
  discard(): Promise<void>
}

type LimitOf = (fields: Record<string, unknown>) => Promise<number>

const tooLarge = (maxBytes: number) =>
  new AppError(errors.outOfRange, {
    msg: phrase('文件超过 {megabytes} MB 的上限', { megabytes: Math.floor(maxBytes / 1024 / 1024) }),
  })

/** Spools one file; what is refused is read to its end all the same, or the sender never hears why. */
async function spool(content: AsyncIterable<Buffer>, path: string, limit: Promise<number>): Promise<number> {
  const target = createWriteStream(path)
  let refusal: unknown
  const maxBytes = await limit.catch((error: unknown) => {
    refusal = error
    return 0
  })
  let size = 0
  await pipeline(
    content,
    async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        size += chunk.length
        if (size > maxBytes) refusal ??= tooLarge(maxBytes)
        if (refusal === undefined) yield chunk
      }
    },
    target,
  )
  if (refusal !== undefined) throw refusal
  return size
}

/** Parts may come in any order; a second file or a file over the limit is refused. */
export async function receiveForm(
  request: FastifyRequest,
  maxBytes: number,
  limitOf: LimitOf = async () => maxBytes,
): Promise<ReceivedForm> {
  if (!request.isMultipart()) throw refusal(errors.type, '请使用 multipart/form-data')
  const { spoolDir } = request.server
  await mkdir(spoolDir, { recursive: true })
  const folder = await mkdtemp(join(spoolDir, 'form-'))
  const discard = () => rm(folder, { recursive: true, force: true })
  const fields: Record<string, unknown> = {}
  let file: UploadedFile | undefined
  try {
    for await (const part of request.parts({
      limits: { fileSize: maxBytes, files: 1, fields: 50, fieldSize: 65_536 },
    })) {
      if (part.type === 'field') {
        fields[part.fieldname] = part.value
        continue
      }
      const path = join(folder, 'file')
      const size = await spool(part.file, path, limitOf(fields))
      if (part.file.truncated) throw tooLarge(maxBytes)
      file = { name: part.filename, path, size }
    }
  } catch (error) {
    await discard()
    throw explain(error)
  }
  return { fields, file, discard }
}

/** Too many parts, or a form that breaks off, is the sender's mistake; trouble of our own disk is not. */
function explain(cause: unknown): unknown {
  const { errno, code } = cause as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError(errors.quota, { msg: phrase('存储空间已满'), cause })
  if (cause instanceof AppError || errno !== undefined) return cause
  const detail = phrase(code === 'FST_FILES_LIMIT' ? '一次只能上传一个文件' : '上传的内容不完整或格式不对')
  return new AppError(errors.parameter, { detail, cause })
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Files of forms lie there while they arrive: on the disk that keeps them, never in memory. */
    spoolDir: string
  }
}
