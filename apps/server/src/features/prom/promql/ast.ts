/** A query after it was read and checked: what the evaluator walks through. */
import type { Matcher } from './matcher.ts'

/** A moment that does not move with the steps: ms, or an end of the query's own range. */
export type Anchor = number | 'start' | 'end'

interface Shift {
  /** ms into the past. */
  offset: number
  at: Anchor | undefined
}

export interface Selector extends Shift {
  kind: 'selector'
  matchers: Matcher[]
  /** ms; undefined: an instant vector. */
  range: number | undefined
}

export interface Subquery extends Shift {
  kind: 'subquery'
  expr: Expr
  range: number
  /** ms; undefined: a minute. */
  step: number | undefined
}

export interface Call {
  kind: 'call'
  name: string
  args: Expr[]
}

export interface Aggregation {
  kind: 'aggregation'
  op: string
  labels: string[]
  without: boolean
  expr: Expr
  /** Of topk, quantile, count_values. */
  param: Expr | undefined
}

export interface Matching {
  /** Undefined: all labels are compared. */
  on: boolean | undefined
  labels: string[]
  /** Which side may have several for one of the other. */
  many: 'none' | 'left' | 'right'
  /** Taken from the side that has one. */
  include: string[]
}

export interface Binary {
  kind: 'binary'
  op: string
  bool: boolean
  left: Expr
  right: Expr
  matching: Matching
}

export interface Negation {
  kind: 'negation'
  expr: Expr
}

export type Expr =
  | { kind: 'number'; value: number }
  | { kind: 'string'; value: string }
  | Selector
  | Subquery
  | Call
  | Aggregation
  | Binary
  | Negation

export type ValueType = 'scalar' | 'vector' | 'matrix' | 'string'
