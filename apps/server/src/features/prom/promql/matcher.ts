/** What a selector asks of one label. Regular expressions are those of RE2: no text makes them slow. */
import { phrase } from '@ithings/contract/text.ts'
import { RE2JS } from 're2js'
import { badData } from '../prom-error.ts'

export type MatchOp = '=' | '!=' | '=~' | '!~'

export interface Matcher {
  label: string
  op: MatchOp
  value: string
  matches(value: string): boolean
  /** The only values that match; undefined: not known. */
  values: ReadonlySet<string> | undefined
}

const longestExpression = 50_000
const meanings = new Set('.+*?()[]{}^$')

/** Always of the whole text, and a dot is any character, as in Prometheus 3. */
export function compileExpression(expression: string): RE2JS {
  if (expression.length > longestExpression) {
    throw badData(phrase('正则表达式最长 {most} 个字符', { most: longestExpression }))
  }
  try {
    return RE2JS.compile(expression, RE2JS.DOTALL)
  } catch (error) {
    throw badData(
      phrase('正则表达式 {expression} 无效：{reason}', {
        expression,
        reason: error instanceof Error ? error.message : '',
      }),
    )
  }
}

/** `a|b|c` and `(a|b)` are what chart tools make of a choice of several values; such a list is found by an index. */
function listed(expression: string): ReadonlySet<string> | undefined {
  const inside = /^\((?:\?:)?([^()]*)\)$/.exec(expression)?.[1] ?? expression
  const values = ['']
  const add = (text: string) => values.push((values.pop() ?? '') + text)
  for (let i = 0; i < inside.length; i++) {
    const letter = inside[i] ?? ''
    if (letter === '|') values.push('')
    else if (letter === '\\') {
      const escaped = inside[++i] ?? 'b'
      if (/[\p{L}\p{N}]/u.test(escaped)) return undefined
      add(escaped)
    } else if (meanings.has(letter)) return undefined
    else add(letter)
  }
  return new Set(values)
}

export function makeMatcher(label: string, op: MatchOp, value: string): Matcher {
  const base = { label, op, value }
  if (op === '=') return { ...base, matches: (text) => text === value, values: new Set([value]) }
  if (op === '!=') return { ...base, matches: (text) => text !== value, values: undefined }
  const compiled = compileExpression(value)
  const values = listed(value)
  const fits = values ? (text: string) => values.has(text) : (text: string) => compiled.testExact(text)
  if (op === '!~') return { ...base, matches: (text) => !fits(text), values: undefined }
  return { ...base, matches: fits, values }
}
