/** The names of the tests in a file, as its source says them. */
import { parseSync } from '@swc/core'

interface Node {
  type?: string
  value?: unknown
  callee?: Node
  object?: Node
  property?: Node
  tag?: Node
  arguments?: { expression: Node }[]
  quasis?: { cooked: string }[]
}

/** test(…), it.each(…)(…), test.skipIf(…)(…) — but not what is skipped or only planned. */
export function isTestCall(callee: Node | undefined): boolean {
  if (callee?.type === 'Identifier') return callee.value === 'test' || callee.value === 'it'
  if (callee?.type === 'MemberExpression') {
    const member = callee.property?.value
    return member !== 'skip' && member !== 'todo' && isTestCall(callee.object)
  }
  if (callee?.type === 'CallExpression') return isTestCall(callee.callee)
  return callee?.type === 'TaggedTemplateExpression' && isTestCall(callee.tag)
}

/** @param text of the file; what stands in ${} is left out of a name */
export function testNames(text: string, path: string): Set<string> {
  const names = new Set<string>()
  const visit = (node: Node): void => {
    if (node.type === 'CallExpression' && isTestCall(node.callee)) {
      const first = node.arguments?.[0]?.expression
      if (first?.type === 'StringLiteral') names.add(String(first.value))
      if (first?.type === 'TemplateLiteral') names.add(first.quasis?.map(({ cooked }) => cooked).join('') ?? '')
    }
    for (const child of Object.values(node)) {
      if (child !== null && typeof child === 'object') visit(child as Node)
    }
  }
  visit(parseSync(text, { syntax: 'typescript', tsx: path.endsWith('x'), target: 'es2024' }) as unknown as Node)
  return names
}
