/** Large files by the tus protocol: sent in pieces, paused, and taken up again where they stopped, even after a reload. */

import { BusinessType } from '@ithings/contract/endpoint.ts'
import { resumableUpload } from '@ithings/contract/features/files.ts'
import { t } from '@ithings/contract/text.ts'
import { type DetailedError, type HttpResponse, Upload } from 'tus-js-client'
import { ApiError, networkText, readBody } from './api-error.ts'
import { failureNotices, noticeOf, sessionEnded } from './notices.ts'
import { preview } from './preview.ts'
import { renewalHeader, session, sessionKeys } from './session-store.ts'

const host: string = import.meta.env.VITE_API_HOST ?? ''

export interface ResumableOptions {
  /** What the file is for (http-api.md 2.8). */
  business: string
  scene: string
  /** 0 to 1 of the bytes that left the browser. */
  onProgress: (share: number) => void
  onDone: (filePath: string) => void
  onFail: (reason: string) => void
}

export interface ResumableUpload {
  pause: () => void
  resume: () => void
  /** Stops, and takes away what the platform has of it. */
  discard: () => void
}

function reasonOf(error: Error | DetailedError): string {
  const response = 'originalResponse' in error ? error.originalResponse : undefined
  if (!response) return t(networkText)
  const reading = readBody(response.getStatus(), response.getBody())
  return reading.ok ? error.message : reading.failure.message
}

/** spec 8: a 401 clears the session and leads to login, once. */
function endSession(response: HttpResponse, token: string): void {
  if (response.getStatus() !== 401 || session.token() !== token) return
  const reading = readBody(response.getStatus(), response.getBody())
  session.clear()
  if (!reading.ok) failureNotices.emit(noticeOf(new ApiError(reading.failure)))
  sessionEnded.emit()
}

export async function uploadResumable(file: File, options: ResumableOptions): Promise<ResumableUpload> {
  const { business, scene, onProgress, onDone, onFail } = options
  const refused = preview.refusal({ path: resumableUpload.path, access: 'role', businessType: BusinessType.add })
  if (refused) throw new ApiError(refused)
  const owner = session.userID()
  let token = session.token()
  let discarded = false
  const upload = new Upload(file, {
    endpoint: `${host}${resumableUpload.path}`,
    metadata: { filename: file.name, business, scene },
    chunkSize: resumableUpload.pieceBytes,
    retryDelays: [...resumableUpload.retryPauses],
    removeFingerprintOnSuccess: true,
    onBeforeRequest: (request) => {
      token = session.token()
      request.setHeader(sessionKeys.token, token)
      request.setHeader(sessionKeys.guid, session.guid())
    },
    onAfterResponse: (_request, response) => {
      if (session.userID() === owner) session.renew(response.getHeader(renewalHeader) ?? null)
      endSession(response, token)
    },
    onShouldRetry: ({ originalResponse }) => {
      const status = originalResponse?.getStatus() ?? 0
      return status === 0 || status === 409 || status === 423 || status >= 500
    },
    onProgress: (sent, total) => onProgress(total > 0 ? sent / total : 0),
    onSuccess: ({ lastResponse }) => {
      const filePath = lastResponse.getHeader(resumableUpload.filePathHeader)
      if (filePath) onDone(filePath)
      else onFail(t('平台没有给出文件位置'))
    },
    onError: (error) => {
      if (!discarded) onFail(reasonOf(error))
    },
  })
  const [earlier] = await upload.findPreviousUploads()
  if (earlier) upload.resumeFromPreviousUpload(earlier)
  upload.start()
  return {
    pause: () => void upload.abort(),
    resume: () => upload.start(),
    discard: () => {
      discarded = true
      // What is left of it otherwise ends with the platform's cleaning of unfinished uploads.
      upload.abort(true).catch(() => undefined)
    },
  }
}
