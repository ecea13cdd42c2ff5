import { t } from '@ithings/contract/text.ts'

// spec 5: a string must parse as a JSON object for JSON input.
export type JsonProblem = { message: string; at: number }

/** Where JSON.parse stumbled, as an offset into the text; 0 when the engine does not say. */
function stumble(text: string, error: unknown): number {
  const message = error instanceof Error ? error.message : ''
  const offset = /position (\d+)/.exec(message)
  if (offset?.[1]) return Math.min(Number(offset[1]), text.length)
  return /end of (JSON )?input/i.test(message) ? text.length : 0
}

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

/** Why a text is not acceptable JSON input, or undefined. */
export function jsonProblem(text: string, needObject = true): JsonProblem | undefined {
  if (text.trim() === '') return { message: t('请输入 JSON'), at: 0 }
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return needObject && !isObject ? { message: t('必须是 JSON 对象'), at: 0 } : undefined
  } catch (error) {
    const at = stumble(text, error)
    return { message: t('第 {line} 行不是有效的 JSON', { line: lineOf(text, at) }), at }
  }
}

/** Pretty text when it parses, else the text as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
