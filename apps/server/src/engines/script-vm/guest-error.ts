/** Errors of the engine in words for the person who wrote the script. */
import { kept } from '@ithings/contract/text.ts'
import type { ScriptFailure } from '#ports/script-runner.ts'
import { cpuMilliseconds, heapBytes, stackBytes } from './limits.ts'

export interface ScriptFault {
  reason: ScriptFailure
  error: string
  line: number
}

export const scriptFile = 'script.js'
const frame = new RegExp(`\\b${scriptFile.replace('.', '\\.')}:(\\d+)`)

/** 1-based; 0 when no frame lies in the script (a script may forge its stack, so the number is only believed in range). */
function lineOf(stack: string, lines: number): number {
  const line = Number(frame.exec(stack)?.[1] ?? 0)
  return line <= lines ? line : 0
}

export const timeText = kept('执行超过 {limit} ms 的时限，已停止', { limit: cpuMilliseconds })
export const memoryText = kept('内存超过 {limit} MB 的上限', { limit: heapBytes / 1024 / 1024 })
const stackText = kept('调用层次过深，栈超过 {limit} KB 的上限', { limit: stackBytes / 1024 })

export function toFault(message: string, stack: string, lines: number, timedOut: boolean): ScriptFault {
  const line = lineOf(stack, lines)
  if (timedOut) return { reason: 'limit', error: timeText, line }
  if (message === 'InternalError: out of memory') return { reason: 'limit', error: memoryText, line }
  // The parser reports its own recursion as an error of grammar.
  if (/^(InternalError|SyntaxError): stack overflow$/.test(message)) return { reason: 'limit', error: stackText, line }
  if (message === 'InternalError: string too long') return { reason: 'limit', error: kept('字符串过长'), line }
  if (message === '') return { reason: 'script', error: kept('脚本抛出了空的错误'), line }
  const grammar = /^SyntaxError: (.*)$/s.exec(message)?.[1]
  return {
    reason: 'script',
    error: grammar === undefined ? message : kept('语法错误：{error}', { error: grammar }),
    line,
  }
}
