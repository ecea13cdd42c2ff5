/** Errors of the engine in words for the person who wrote the script. */
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

export const timeText = `执行超过 ${cpuMilliseconds} ms 的时限，已停止`
export const memoryText = `内存超过 ${heapBytes / 1024 / 1024} MB 的上限`
const stackText = `调用层次过深，栈超过 ${stackBytes / 1024} KB 的上限`

export function toFault(message: string, stack: string, lines: number, timedOut: boolean): ScriptFault {
  const line = lineOf(stack, lines)
  if (timedOut) return { reason: 'limit', error: timeText, line }
  if (message === 'InternalError: out of memory') return { reason: 'limit', error: memoryText, line }
  // The parser reports its own recursion as an error of grammar.
  if (/^(InternalError|SyntaxError): stack overflow$/.test(message)) return { reason: 'limit', error: stackText, line }
  if (message === 'InternalError: string too long') return { reason: 'limit', error: '字符串过长', line }
  return { reason: 'script', error: message.replace(/^SyntaxError: /, '语法错误：') || '脚本抛出了空的错误', line }
}
