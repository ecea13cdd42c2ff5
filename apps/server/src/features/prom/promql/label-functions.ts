/** Functions that change labels. */
import { phrase } from '@ithings/contract/text.ts'
import type { Matcher as Found } from 're2js'
import { badData } from '../prom-error.ts'
import type { Expr } from './ast.ts'
import { type Labels, makeLabels, metricName, withLabel } from './labels.ts'
import { compileExpression } from './matcher.ts'

function checkName(label: string): void {
  if (label === '' || !label.isWellFormed()) throw badData(phrase('标签名 {label} 无效', { label }))
}

/** `$1`, `${1}`, `$name`; `$$` is a dollar. What is not there is empty. */
function expand(template: string, found: Found): string {
  return template.replaceAll(/\$(?:\$|\{(\w+)\}|(\w+))/g, (place, braced?: string, bare?: string) => {
    const name = braced ?? bare
    if (name === undefined) return place === '$$' ? '$' : ''
    try {
      return (/^\d+$/.test(name) ? found.group(Number(name)) : found.group(name)) ?? ''
    } catch {
      return ''
    }
  })
}

export function labelReplace(target: string, template: string, source: string, expression: string) {
  checkName(target)
  const compiled = compileExpression(expression)
  return (labels: Labels): Labels => {
    const found = compiled.matcher(labels.get(source) ?? '')
    return found.matches() ? withLabel(labels, target, expand(template, found)) : labels
  }
}

export function labelJoin(target: string, separator: string, ...sources: string[]) {
  checkName(target)
  return (labels: Labels): Labels =>
    withLabel(labels, target, sources.map((source) => labels.get(source) ?? '').join(separator))
}

/** What `absent` can say about the series that is not there: what was asked for by equality. */
export function absentLabels(expr: Expr): Labels {
  if (expr.kind === 'subquery') return absentLabels(expr.expr)
  if (expr.kind !== 'selector') return new Map()
  const asked = Map.groupBy(
    expr.matchers.filter(({ label }) => label !== metricName),
    ({ label }) => label,
  )
  const sure = [...asked].flatMap(([label, [first, ...others]]): [string, string][] =>
    first?.op === '=' && others.length === 0 ? [[label, first.value]] : [],
  )
  return makeLabels(sure)
}
