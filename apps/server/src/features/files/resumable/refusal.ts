/** Refusals of the protocol's server in the platform's words; the status stays, clients act on it. */
import { AppError, errors } from '@ithings/contract/errors.ts'

const texts: Record<number, string> = {
  404: '上传不存在或已过期，请重新上传',
  409: '续传的位置与平台已有的不一致',
  410: '上传已过期，请重新上传',
  412: '缺少 Tus-Resumable 请求头',
  413: '文件超过上限',
}

export function explainRefusal(failure: unknown, status: number, text: string): unknown {
  if (failure instanceof AppError) return failure
  if (failure instanceof Error && !('status_code' in failure)) return failure
  const msg = texts[status]
  if (status === 413) return new AppError(errors.outOfRange, { ...(msg && { msg }), status, cause: failure })
  const entry = status === 404 || status === 410 ? errors.notFound : errors.parameter
  return new AppError(entry, { ...(msg ? { msg } : { detail: text.trim() }), status, cause: failure })
}
