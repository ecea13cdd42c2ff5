/** What fits together, so that the evaluator need not ask: types of arguments, operators and their modifiers. */
import { phrase } from '@ithings/contract/text.ts'
import { badData } from '../prom-error.ts'
import type { Aggregation, Binary, Call, Expr, ValueType } from './ast.ts'
import { signatureOf } from './function-list.ts'

export const isComparison = (op: string): boolean => /^(==|!=|<|>|<=|>=)$/.test(op)
export const isSetOperator = (op: string): boolean => /^(and|or|unless)$/.test(op)
const known = /^([-+*/%^]|==|!=|<|>|<=|>=|and|or|unless|atan2)$/

export function typeOf(expr: Expr): ValueType {
  switch (expr.kind) {
    case 'number':
      return 'scalar'
    case 'string':
      return 'string'
    case 'selector':
      return expr.range === undefined ? 'vector' : 'matrix'
    case 'subquery':
      return 'matrix'
    case 'call':
      return signatureOf(expr.name)?.returns ?? 'vector'
    case 'aggregation':
      return 'vector'
    case 'negation':
      return typeOf(expr.expr)
    case 'binary':
      return typeOf(expr.left) === 'scalar' && typeOf(expr.right) === 'scalar' ? 'scalar' : 'vector'
  }
}

const names: Record<ValueType, () => ReturnType<typeof phrase>> = {
  scalar: () => phrase('标量'),
  vector: () => phrase('瞬时向量'),
  matrix: () => phrase('区间向量'),
  string: () => phrase('文本'),
}

function expect(expr: Expr, wanted: ValueType, place: string): void {
  const given = typeOf(expr)
  if (given === wanted) return
  throw badData(
    phrase('{place} 需要{wanted}，得到的是{given}', { place, wanted: names[wanted](), given: names[given]() }),
  )
}

function checkCall({ name, args }: Call): void {
  const signature = signatureOf(name)
  if (!signature) throw badData(phrase('不支持函数 {name}', { name }))
  const { args: wanted, optional } = signature
  const repeats = !Number.isFinite(optional)
  const [least, most] = repeats ? [wanted.length - 1, args.length] : [wanted.length - optional, wanted.length]
  if (args.length < least || args.length > most) throw badData(phrase('{name} 的参数个数不对', { name }))
  for (const [i, arg] of args.entries()) expect(arg, wanted[Math.min(i, wanted.length - 1)] ?? 'vector', name)
}

function checkAggregation({ op, expr, param }: Aggregation): void {
  expect(expr, 'vector', op)
  if (param) expect(param, op === 'count_values' ? 'string' : 'scalar', op)
}

function checkMatching({ op, matching }: Binary): void {
  if (isSetOperator(op) && matching.many !== 'none')
    throw badData(phrase('{op} 不能用 group_left 或 group_right', { op }))
  const twice = matching.on ? matching.labels.find((label) => matching.include.includes(label)) : undefined
  if (twice !== undefined) throw badData(phrase('标签 {label} 不能同时在 on 和 group 中', { label: twice }))
}

function checkBinary(expr: Binary): void {
  const { op, bool, left, right, matching } = expr
  if (!known.test(op)) throw badData(phrase('不支持 {what}', { what: op }))
  const [a, b] = [typeOf(left), typeOf(right)]
  for (const [side, type] of [
    [left, a],
    [right, b],
  ] as const) {
    if (type !== 'scalar' && type !== 'vector') expect(side, 'vector', op)
  }
  if (bool && !isComparison(op)) throw badData(phrase('bool 只能用于比较'))
  const vectors = a === 'vector' && b === 'vector'
  if (isSetOperator(op) && !vectors) throw badData(phrase('{op} 只能用于两个瞬时向量', { op }))
  if (isComparison(op) && !bool && a === 'scalar' && b === 'scalar') throw badData(phrase('标量之间的比较须写 bool'))
  if (matching.on !== undefined && !vectors) throw badData(phrase('on 和 ignoring 只能用于两个瞬时向量之间'))
  checkMatching(expr)
}

export function checkTypes(expr: Expr): void {
  switch (expr.kind) {
    case 'number':
    case 'string':
    case 'selector':
      return
    case 'subquery':
      checkTypes(expr.expr)
      expect(expr.expr, 'vector', '[:]')
      return
    case 'negation':
      checkTypes(expr.expr)
      if (typeOf(expr.expr) !== 'scalar') expect(expr.expr, 'vector', '-')
      return
    case 'call':
      checkCall(expr)
      for (const arg of expr.args) checkTypes(arg)
      return
    case 'aggregation':
      checkTypes(expr.expr)
      if (expr.param) checkTypes(expr.param)
      checkAggregation(expr)
      return
    case 'binary':
      checkTypes(expr.left)
      checkTypes(expr.right)
      checkBinary(expr)
      return
  }
}
