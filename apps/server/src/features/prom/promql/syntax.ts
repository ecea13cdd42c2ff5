/** The tree of a query by the grammar of Prometheus itself. */
import { phrase } from '@ithings/contract/text.ts'
import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { badData } from '../prom-error.ts'

/** Ends at the first mistake. */
const strict = parser.configure({ strict: true })

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child)
  return children.filter(({ name }) => name !== 'LineComment')
}

/** The name of a call that the grammar does not know at all. */
const calledAt = (text: string, at: number): string | undefined => /([A-Za-z_]\w*)\s*$/.exec(text.slice(0, at))?.[1]

export function readTree(text: string): SyntaxNode {
  try {
    return strict.parse(text).topNode
  } catch (error) {
    const at = Number(/\d+$/.exec(error instanceof Error ? error.message : '')?.[0] ?? 0)
    const called = text[at] === '(' ? calledAt(text, at) : undefined
    if (called !== undefined) throw badData(phrase('不支持函数 {name}', { name: called }))
    throw badData(phrase('查询在第 {place} 个字符处不合语法：{near}', { place: at + 1, near: text.slice(at, at + 20) }))
  }
}
