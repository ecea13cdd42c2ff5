/** From text to a query, by the grammar of Prometheus itself. */

import { phrase } from '@ithings/contract/text.ts'
import type { SyntaxNode } from '@lezer/common'
import { badData } from '../prom-error.ts'
import type { Anchor, Expr, Matching, Selector, Subquery } from './ast.ts'
import { checkTypes } from './check-types.ts'
import { aggregations } from './function-list.ts'
import { metricName } from './labels.ts'
import { readNumber, readSeconds, readText } from './literals.ts'
import { type Matcher, type MatchOp, makeMatcher } from './matcher.ts'
import { childrenOf, readTree } from './syntax.ts'

const longestQuery = 100_000
const deepest = 250

const unsupported = (what: string) => badData(phrase('不支持 {what}', { what }))

const tooDeep = () => badData(phrase('查询的嵌套超过 {most} 层', { most: deepest }))

/** Prometheus' own precedences. The grammar is made for colouring: its tree binds `a + b offset 5m` as `(a + b) offset 5m`. */
const precedences = new Map<string, number>([
  ['or', 1],
  ['and', 2],
  ['unless', 2],
  ...['==', '!=', '<', '>', '<=', '>='].map((op): [string, number] => [op, 3]),
  ...['+', '-'].map((op): [string, number] => [op, 4]),
  ...['*', '/', '%', 'atan2'].map((op): [string, number] => [op, 5]),
  ['^', 6],
])
const signBinds = 6

/** What stands in an expression, in the order of the text. */
type Item =
  | { is: 'operator'; node: SyntaxNode; op: string }
  | { is: 'sign'; minus: boolean }
  /** With the ranges, offsets and moments after it. */
  | { is: 'operand'; node: SyntaxNode; after: SyntaxNode[] }

const modifiers = new Set(['MatrixSelector', 'SubqueryExpr', 'OffsetExpr', 'StepInvariantExpr'])

class Reader {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }

  #said({ from, to }: SyntaxNode): string {
    return this.#text.slice(from, to)
  }

  #named(node: SyntaxNode, name: string): SyntaxNode | undefined {
    return childrenOf(node).find((child) => child.name === name)
  }

  /** A node that the grammar promises. */
  #part(node: SyntaxNode, index: number): SyntaxNode {
    const child = childrenOf(node).at(index)
    if (!child) throw unsupported(this.#said(node))
    return child
  }

  #items(node: SyntaxNode, depth: number): Item[] {
    if (depth > deepest) throw tooDeep()
    if (node.name === 'BinaryExpr') {
      const op = this.#said(this.#part(node, 1)).toLowerCase()
      const [left, right] = [this.#part(node, 0), this.#part(node, -1)]
      return [...this.#items(left, depth + 1), { is: 'operator', node, op }, ...this.#items(right, depth + 1)]
    }
    if (node.name === 'UnaryExpr') {
      const minus = this.#said(this.#part(node, 0)) === '-'
      return [{ is: 'sign', minus }, ...this.#items(this.#part(node, 1), depth + 1)]
    }
    if (modifiers.has(node.name)) {
      const items = this.#items(this.#part(node, 0), depth + 1)
      const last = items.at(-1)
      if (last?.is === 'operand') last.after.push(node)
      return items
    }
    const operand: Item = { is: 'operand', node, after: [] }
    const signed = node.name === 'NumberDurationLiteral' && /^[+-]/.test(this.#said(node))
    return signed ? [{ is: 'sign', minus: this.#said(node).startsWith('-') }, operand] : [operand]
  }

  read(node: SyntaxNode, depth = 0): Expr {
    if (depth > deepest) throw tooDeep()
    const items = this.#items(node, depth)
    let next = 0
    const climb = (least: number): Expr => {
      let left = readOperand()
      for (;;) {
        const item = items[next]
        const binds = item?.is === 'operator' ? (precedences.get(item.op) ?? 0) : -1
        if (item?.is !== 'operator' || binds < least) return left
        next++
        const right = climb(item.op === '^' ? binds : binds + 1)
        left = this.#binary(item, left, right)
      }
    }
    const readOperand = (): Expr => {
      const item = items[next++]
      if (item?.is === 'operand') return this.#operand(item, depth)
      if (item?.is !== 'sign') throw unsupported(this.#said(node))
      const expr = climb(signBinds)
      return item.minus ? { kind: 'negation', expr } : expr
    }
    return climb(0)
  }

  #operand({ node, after }: Extract<Item, { is: 'operand' }>, depth: number): Expr {
    const [first, ...others] = after
    if (first?.name === 'MatrixSelector') {
      if (node.name !== 'VectorSelector') throw this.#misplaced(first)
      const range = this.#range(this.#part(first, 1))
      return this.#modify({ ...this.#selector(node), range }, others)
    }
    const expr = this.#atom(node, depth)
    if (first && first.name !== 'SubqueryExpr' && node.name === 'ParenExpr') throw this.#misplaced(first)
    return this.#modify(expr, after)
  }

  #modify(expr: Expr, after: SyntaxNode[]): Expr {
    let result = expr
    for (const node of after) result = this.#modifyBy(node, result)
    return result
  }

  #modifyBy(node: SyntaxNode, expr: Expr): Expr {
    if (node.name === 'SubqueryExpr') return this.#subquery(node, expr)
    if (node.name === 'MatrixSelector' || (expr.kind !== 'selector' && expr.kind !== 'subquery')) {
      throw this.#misplaced(node)
    }
    const last = this.#part(node, -1)
    if (node.name === 'OffsetExpr' && expr.offset === 0) return { ...expr, offset: this.#duration(last) }
    if (node.name === 'StepInvariantExpr' && expr.at === undefined) return { ...expr, at: this.#anchor(last) }
    throw this.#misplaced(node)
  }

  #misplaced(node: SyntaxNode): Error {
    return badData(
      phrase('[范围] 只能跟在选择器之后，offset 和 @ 只能跟在选择器或子查询之后且各写一次：{said}', {
        said: this.#said(node),
      }),
    )
  }

  #atom(node: SyntaxNode, depth: number): Expr {
    switch (node.name) {
      case 'ParenExpr':
        return this.read(this.#part(node, 0), depth + 1)
      case 'NumberDurationLiteral':
        return { kind: 'number', value: readNumber(this.#said(node).replace(/^[+-]/, '')) ?? Number.NaN }
      case 'StringLiteral':
        return { kind: 'string', value: readText(this.#said(node)) }
      case 'VectorSelector':
        return this.#selector(node)
      case 'FunctionCall':
        return {
          kind: 'call',
          name: this.#said(this.#part(node, 0)).toLowerCase(),
          args: childrenOf(this.#part(node, 1)).map((arg) => this.read(arg, depth + 1)),
        }
      case 'AggregateExpr':
        return this.#aggregation(node, depth + 1)
      default:
        throw unsupported(this.#said(node))
    }
  }

  #labelName(node: SyntaxNode): string {
    const text = this.#said(node)
    return node.name === 'QuotedLabelName' ? readText(text) : text
  }

  #labels(node: SyntaxNode | undefined): string[] {
    return node ? childrenOf(node).map((child) => this.#labelName(child)) : []
  }

  #matcher(node: SyntaxNode): Matcher {
    // `{"a metric"}` is the name of the metric.
    if (node.name === 'QuotedLabelName') return makeMatcher(metricName, '=', this.#labelName(node))
    const [label, op, value] = childrenOf(node)
    if (!label || !op || !value) throw unsupported(this.#said(node))
    return makeMatcher(this.#labelName(label), this.#said(op) as MatchOp, readText(this.#said(value)))
  }

  #selector(node: SyntaxNode): Selector {
    const name = this.#named(node, 'Identifier')
    const list = this.#named(node, 'LabelMatchers')
    const matchers = [
      ...(name ? [makeMatcher(metricName, '=', this.#said(name))] : []),
      ...(list ? childrenOf(list).map((one) => this.#matcher(one)) : []),
    ]
    const names = matchers.filter(({ label, op }) => label === metricName && op === '=')
    if (names.length > 1) throw badData(phrase('指标名只能写一次：{said}', { said: this.#said(node) }))
    if (matchers.every((one) => one.matches(''))) {
      throw badData(phrase('选择器 {said} 至少要有一个不匹配空值的条件', { said: this.#said(node) }))
    }
    return { kind: 'selector', matchers, range: undefined, offset: 0, at: undefined }
  }

  /** A plain duration; arithmetic with them is an experiment of Prometheus. */
  #duration(node: SyntaxNode): number {
    const ms = readSeconds(this.#said(node).replaceAll(/\s/g, ''))
    if (ms === undefined) throw unsupported(this.#said(node))
    return ms
  }

  #range(node: SyntaxNode): number {
    const ms = this.#duration(node)
    if (ms <= 0) throw badData(phrase('时间范围须大于 0：{said}', { said: this.#said(node) }))
    return ms
  }

  #subquery(node: SyntaxNode, expr: Expr): Subquery {
    const [, range, step] = childrenOf(node)
    if (!range) throw unsupported(this.#said(node))
    return {
      kind: 'subquery',
      expr,
      range: this.#range(range),
      step: step && this.#range(step),
      offset: 0,
      at: undefined,
    }
  }

  #anchor(node: SyntaxNode): Anchor {
    const said = this.#said(node).toLowerCase()
    if (node.name === 'AtModifierPreprocessors') return said === 'start' ? 'start' : 'end'
    const ms = readSeconds(said)
    if (ms === undefined) throw badData(phrase('时间 {text} 的写法不对', { text: said }))
    return ms
  }

  #matching(node: SyntaxNode | undefined): Matching {
    if (!node) return { on: undefined, labels: [], many: 'none', include: [] }
    const parts = childrenOf(node)
    const [first, labels, group, include] = parts
    const many = group?.name === 'GroupLeft' ? 'left' : group?.name === 'GroupRight' ? 'right' : 'none'
    return { on: first?.name === 'On', labels: this.#labels(labels), many, include: this.#labels(include) }
  }

  #binary({ node, op }: Extract<Item, { is: 'operator' }>, left: Expr, right: Expr): Expr {
    const fill = this.#named(node, 'FillModifier')
    if (fill) throw unsupported(this.#said(fill))
    const bool = this.#named(node, 'BoolModifier') !== undefined
    return {
      kind: 'binary',
      op,
      bool,
      left,
      right,
      matching: this.#matching(this.#named(node, 'MatchingModifierClause')),
    }
  }

  #aggregation(node: SyntaxNode, depth: number): Expr {
    const op = this.#said(this.#part(node, 0)).toLowerCase()
    if (!aggregations.has(op)) throw unsupported(op)
    const modifier = this.#named(node, 'AggregateModifier')
    const body = this.#named(node, 'FunctionCallBody')
    const args = body ? childrenOf(body).map((arg) => this.read(arg, depth)) : []
    const expr = args.pop()
    const wanted = /^(topk|bottomk|quantile|count_values)$/.test(op) ? 1 : 0
    if (!expr || args.length !== wanted) throw badData(phrase('{name} 的参数个数不对', { name: op }))
    return {
      kind: 'aggregation',
      op,
      labels: this.#labels(modifier && this.#named(modifier, 'GroupingLabels')),
      without: modifier !== undefined && this.#named(modifier, 'Without') !== undefined,
      expr,
      param: args[0],
    }
  }
}

export function parseQuery(text: string): Expr {
  if (text.trim() === '') throw badData(phrase('缺少参数 {identifier}', { identifier: 'query' }))
  if (text.length > longestQuery) throw badData(phrase('查询最长 {most} 个字符', { most: longestQuery }))
  const [top] = childrenOf(readTree(text))
  if (!top) throw badData(phrase('缺少参数 {identifier}', { identifier: 'query' }))
  const expr = new Reader(text).read(top)
  checkTypes(expr)
  return expr
}

/** What `match[]` holds: an instant selector and nothing else. */
export function parseSelector(text: string): Matcher[] {
  const expr = parseQuery(text)
  if (expr.kind === 'selector' && expr.range === undefined && expr.offset === 0 && expr.at === undefined) {
    return expr.matchers
  }
  throw badData(phrase('{text} 不是选择器', { text }))
}
