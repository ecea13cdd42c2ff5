import { AppError, errors } from '@ithings/contract/errors.ts'
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { listHubLog, listPropertyLog } from '@ithings/contract/features/history.ts'
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { historyWindow, type PageInput, pageWindow } from '@ithings/contract/paging.ts'
import { expect, test } from 'vitest'
import { type Answer, type AskRows, type Row, readRows } from './read-rows.ts'
import type { Body } from './walks.ts'

const now = 1_800_000_000_000

interface Asked {
  page?: PageInput
  timeStart?: number
  timeEnd?: number
  order?: number
}

/** A log as the server has it: rows by time, those of the same time in a fixed order. */
function makeLog(times: number[], most = Number.POSITIVE_INFINITY) {
  const rows = times.map((time, id) => ({ id, timestamp: String(time) }))
  const asked: Asked[] = []
  const ask: AskRows = async (body) => {
    const input = body as Asked
    asked.push(input)
    const { timeStart = 0, timeEnd = Number.MAX_SAFE_INTEGER, order = 1 } = input
    const found = rows
      .filter(({ timestamp }) => Number(timestamp) >= timeStart && Number(timestamp) < timeEnd)
      .toSorted((a, b) => (order === 1 ? -1 : 1) * (Number(a.timestamp) - Number(b.timestamp)) || a.id - b.id)
    if (found.length > most) throw new AppError(errors.outOfRange)
    const { offset, limit } = historyWindow(input.page, found.length)
    return { rows: found.slice(offset, offset + limit), total: found.length }
  }
  return { rows, asked, ask }
}

async function all(answers: AsyncIterable<Answer>, meanwhile?: () => void): Promise<Row[]> {
  const rows: Row[] = []
  for await (const answer of answers) {
    rows.push(...answer.rows)
    meanwhile?.()
  }
  return rows
}

const idsOf = (rows: Row[]): number[] => rows.map(({ id }) => Number(id))
const sorted = (ids: number[]): number[] => ids.toSorted((a, b) => a - b)
const hub = (body: Body = {}, size = 4) => ({ path: listHubLog.path, body, now, paged: true, size })

test('a log is read newest first along its time, each row once, also where many have the same time', async () => {
  const times = [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 9, 9, 9, 9, 10, 11].map((one) => now - 1000 + one)
  const log = makeLog(times)
  const rows = await all(readRows(log.ask, hub()))
  expect(sorted(idsOf(rows))).toEqual(log.rows.map(({ id }) => id))
  const read = rows.map(({ timestamp }) => Number(timestamp))
  expect(read).toEqual(read.toSorted((a, b) => b - a))
})

test('what comes while a log is read moves nothing in it', async () => {
  const log = makeLog(Array.from({ length: 30 }, (_, at) => now - 10_000 + at))
  const before = log.rows.map(({ id }) => id)
  const rows = await all(readRows(log.ask, hub()), () =>
    log.rows.push({ id: 1000 + log.rows.length, timestamp: String(now) }),
  )
  expect(sorted(idsOf(rows))).toEqual(before)
})

test('the range and the order that were asked are kept to', async () => {
  const log = makeLog(Array.from({ length: 30 }, (_, at) => 100 + at))
  const options = {
    path: listPropertyLog.path,
    body: { timeStart: 105, timeEnd: 120, order: 0 },
    now,
    paged: true,
    size: 4,
  }
  expect(idsOf(await all(readRows(log.ask, options)))).toEqual(Array.from({ length: 15 }, (_, at) => 5 + at))
  const backwards = { ...options, body: { ...options.body, order: 1 } }
  expect(idsOf(await all(readRows(log.ask, backwards)))).toEqual(Array.from({ length: 15 }, (_, at) => 19 - at))
})

test('a range that is too much for one question is asked in parts', async () => {
  const log = makeLog(
    Array.from({ length: 200 }, (_, at) => now - 3_600_000 + at * 10_000),
    20,
  )
  expect(idsOf(await all(readRows(log.ask, hub())))).toEqual(log.rows.map(({ id }) => id).toReversed())
})

test('a second that alone is too much is refused, not tried for ever', async () => {
  const log = makeLog(
    Array.from({ length: 50 }, () => now - 500),
    20,
  )
  await expect(all(readRows(log.ask, hub()))).rejects.toMatchObject({ code: errors.outOfRange.code })
})

test('values in buckets are one answer', async () => {
  const log = makeLog([1, 2, 3, 4, 5, 6])
  const body = { interval: 60_000, argFunc: 'avg' }
  const ask: AskRows = async (asked) => ({ ...(await log.ask({ ...asked, page: undefined })), total: 0 })
  const rows = await all(readRows(ask, { path: listPropertyLog.path, body, now, paged: true, size: 4 }))
  expect(rows).toHaveLength(6)
  expect(log.asked).toHaveLength(1)
})

test('the logs of the platform go along seconds, in the order of time', async () => {
  const rows = Array.from({ length: 25 }, (_, id) => ({
    id,
    createdTime: String(Math.floor((now - 50_000 + id * 400) / 1000)),
  }))
  const orders: unknown[] = []
  const ask: AskRows = async (body) => {
    const { page, dateRange } = body as { page: PageInput; dateRange: { start: string; end: string } }
    orders.push(page?.orders)
    const found = rows
      .filter(
        (row) =>
          Number(row.createdTime) * 1000 >= Number(dateRange.start) &&
          Number(row.createdTime) * 1000 < Number(dateRange.end),
      )
      .toReversed()
    const { offset, limit } = historyWindow(page, found.length)
    return { rows: found.slice(offset, offset + limit), total: found.length }
  }
  const read = await all(readRows(ask, { path: listOperationLogs.path, body: {}, now, paged: true, size: 4 }))
  expect(idsOf(read)).toEqual(rows.map(({ id }) => id).toReversed())
  expect(orders).toContainEqual([{ field: 'createdTime', sort: 2 }])
})

/** A list by pages, whose last page comes again behind its end. */
function makeList(count: number) {
  const asked: Body[] = []
  const ask: AskRows = async (body) => {
    asked.push(body)
    const { offset, limit } = pageWindow((body as Asked).page, count)
    return { rows: Array.from({ length: count }, (_, id) => ({ id })).slice(offset, offset + limit), total: count }
  }
  return { asked, ask }
}

test.each([0, 3, 4, 5, 8, 9])('a list of %i rows is read once, by its pages', async (count) => {
  const list = makeList(count)
  const rows = await all(readRows(list.ask, { path: listProducts.path, body: {}, now, paged: true, size: 4 }))
  expect(idsOf(rows)).toEqual(Array.from({ length: count }, (_, id) => id))
})

test('a long list that grows at its beginning is asked oldest first, a short one as it is shown', async () => {
  const short = makeList(3)
  const options = { path: listAlarmRecords.path, body: {}, now, paged: true, size: 4 }
  await all(readRows(short.ask, options))
  expect(short.asked).toEqual([{ page: { page: 1, size: 4 } }])
  const long = makeList(9)
  expect(idsOf(await all(readRows(long.ask, options)))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  const orders = [{ field: 'createdTime', sort: 1 }]
  expect(long.asked.slice(1)).toEqual([1, 2, 3].map((page) => ({ page: { page, size: 4, orders } })))
  const chosen = makeList(9)
  const page = { orders: [{ field: 'level', sort: 2 }] }
  await all(readRows(chosen.ask, { ...options, body: { page } }))
  expect(chosen.asked[2]).toEqual({ page: { ...page, page: 3, size: 4 } })
})

test('a list without pages is asked once, as it is', async () => {
  const list = makeList(9)
  await all(readRows(list.ask, { path: '/x', body: { a: 1 }, now, paged: false }))
  expect(list.asked).toEqual([{ a: 1 }])
})
