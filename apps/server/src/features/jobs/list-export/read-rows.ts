/**
 * All rows of a list, by the pages that it answers. A log is read along its time: each page begins where the last one
 * ended, so that nothing that comes meanwhile moves what is read, and the end costs no more than the beginning.
 */
import { aheadMs } from '@ithings/contract/durations.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { maxPageSize } from '@ithings/contract/paging.ts'
import { type Body, steadyOrders, type TimeWalk, timeWalks } from './walks.ts'

export type Row = Record<string, unknown>
export interface Answer {
  rows: Row[]
  /** 0: the list does not say. */
  total: number
}
export type AskRows = (body: Body) => Promise<Answer>

/** Where a range of time is too much for one question, it is asked in parts down to this. */
const shortestSpanMs = 1_000
const spanFactor = 8

const tooMuch = (error: unknown): boolean =>
  error instanceof AppError && (error.code === errors.outOfRange.code || error.code === errors.timeout.code)

const pageOf = (body: Body, page: number, size: number): Body => ({
  ...body,
  page: { ...(body.page as object | undefined), page, size },
})

/** A list that has no time to go along. Pages of the largest size: most lists are one statement then. */
async function* byPages(ask: AskRows, body: Body, size: number, steady: Body | undefined): AsyncGenerator<Answer> {
  let asked = body
  for (let page = 1; ; page++) {
    const answer = await ask(pageOf(asked, page, size))
    if (page === 1 && steady && answer.total > size) {
      asked = steady
      yield await ask(pageOf(asked, page, size))
    } else yield answer
    // Of a page behind the end a list answers the last one again.
    if (answer.rows.length < size || page * size >= answer.total) return
  }
}

/** Rows of one moment that were given already: the next page begins with them. */
function givenAt(rows: Row[], walk: TimeWalk, time: number): number {
  let count = 0
  while (count < rows.length && walk.timeOf(rows[rows.length - 1 - count] ?? {}) === time) count++
  return count
}

interface Range {
  from: number
  to: number
}

async function* alongTime(ask: AskRows, body: Body, walk: TimeWalk, size: number, { from, to }: Range) {
  const newestFirst = walk.newestFirst(body) === true
  let span = to - from
  /** The edge that moves, and how many of its rows are given. */
  let edge = newestFirst ? to : from
  let given = 0
  while (newestFirst ? edge > from : edge < to) {
    const low = newestFirst ? Math.max(from, edge - span) : edge
    const high = newestFirst ? edge : Math.min(to, edge + span)
    let answer: Answer
    try {
      answer = await ask(pageOf(walk.within(body, low, high), Math.floor(given / size) + 1, size))
    } catch (error) {
      if (!tooMuch(error) || span <= shortestSpanMs) throw error
      span = Math.max(shortestSpanMs, Math.floor(span / spanFactor))
      continue
    }
    const { rows, total } = answer
    const fresh = rows.slice(given % size)
    yield { rows: fresh, total }
    const last = rows.at(-1)
    if (!last || rows.length < size) {
      edge = newestFirst ? low : high
      given = 0
      span = Math.min(to - from, span * 2)
      continue
    }
    const time = walk.timeOf(last)
    const next = newestFirst ? time + walk.stepMs : time
    given = next === edge ? given + fresh.length : givenAt(rows, walk, time)
    edge = next
  }
}

/** @param size rows of one page; other than the largest only for tests */
export function readRows(
  ask: AskRows,
  {
    path,
    body,
    now,
    paged,
    size = maxPageSize,
  }: { path: string; body: Body; now: number; paged: boolean; size?: number },
): AsyncIterable<Answer> {
  if (!paged) {
    return (async function* () {
      yield await ask(body)
    })()
  }
  const walk = timeWalks.get(path)
  if (walk?.newestFirst(body) === undefined) return byPages(ask, body, size, steadyOrders(path, body))
  const { from, to } = walk.rangeOf(body)
  return alongTime(ask, walk.ordered(body), walk, size, { from: from || 0, to: to || now + aheadMs })
}
