import { successCode } from '@ithings/contract/envelope.ts'
import { LogResult, logResultLabels } from '@ithings/contract/features/logs.ts'
import type { StatusLook } from '#kit/status-tag.tsx'

/** Code "200" is success, everything else a failure (screens.md 16). */
export const isSuccess = (code: string): boolean => Number(code) === successCode

export const resultLook = (code: string): StatusLook =>
  isSuccess(code)
    ? { text: logResultLabels[LogResult.success], tone: 'success' }
    : { text: logResultLabels[LogResult.failure], tone: 'error' }

export const resultOptions = Object.values(LogResult).map((value) => ({ value, label: logResultLabels[value] }))
