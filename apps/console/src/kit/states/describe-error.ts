/** What a failure tells the person in front of it. Read by shape: the kit does not know who threw it. */
import { t } from '@ithings/contract/text.ts'
export interface ErrorView {
  kind: 'error' | 'forbidden' | 'offline'
  reason: string
  code?: number | undefined
  requestID?: string | undefined
  /** The form field that was refused, when the server names one. */
  field?: string | undefined
}

// decisions.md 2 "Permission refused": a refused permission is HTTP 403 with code 100012.
const forbiddenCode = 100012

const asNumber = (value: unknown) => (typeof value === 'number' ? value : undefined)
const asText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function describeError(error: unknown): ErrorView {
  const given = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  const code = asNumber(given.code)
  const status = asNumber(given.httpStatus)
  const reason = asText(given.message) ?? asText(error) ?? t('未知错误')
  const common = { code, requestID: asText(given.requestID), field: asText(given.field), reason }
  if (code === forbiddenCode || status === 403) return { ...common, kind: 'forbidden' }
  // httpStatus 0 means that no answer came: the network or the server is gone.
  if (status === 0 || (error instanceof TypeError && /fetch|network/i.test(reason))) {
    return { ...common, kind: 'offline', reason: status === 0 ? reason : t('无法连接服务器') }
  }
  return { ...common, kind: 'error' }
}
