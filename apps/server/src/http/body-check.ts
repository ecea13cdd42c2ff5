/** What no call may bring, whatever its contract says: it could not be stored, or would cost too much to walk through. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'

/** The deepest body of the contract, a thing model of structs in arrays, has a dozen. */
const maxDepth = 64

const refuse = (detail: Phrase): never => {
  throw new AppError(errors.parameter, { detail })
}

function checkText(text: string): void {
  if (!text.isWellFormed() || text.includes('\0')) refuse(phrase('文本含有不能保存的字符'))
}

export function checkBody(value: unknown, depth = 0): void {
  if (typeof value === 'string') checkText(value)
  if (value === null || typeof value !== 'object') return
  if (depth > maxDepth) refuse(phrase('请求体的嵌套超过 {maxDepth} 层', { maxDepth }))
  for (const [key, member] of Object.entries(value)) {
    checkText(key)
    checkBody(member, depth + 1)
  }
}
