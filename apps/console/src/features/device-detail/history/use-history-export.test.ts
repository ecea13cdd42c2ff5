import { expect, test } from 'vitest'
import { collectPages } from './use-history-export.ts'

const row = (at: number) => ({ dataID: 'p', deviceName: 'd', value: '1', timestamp: String(at) })
const pages = (all: number, size: number, said = all) => {
  const asked: number[] = []
  const read = async (page: number) => {
    asked.push(page)
    const from = (page - 1) * size
    return {
      list: Array.from({ length: Math.max(0, Math.min(size, all - from)) }, (_, at) => row(from + at)),
      total: said,
    }
  }
  return { asked, read }
}
const ignore = () => undefined

test('every page is read, once', async () => {
  const { asked, read } = pages(25, 10)
  const { rows, total } = await collectPages(read, 1000, ignore)
  expect(rows.map(({ timestamp }) => Number(timestamp))).toEqual(Array.from({ length: 25 }, (_, at) => at))
  expect([asked, total]).toEqual([[1, 2, 3], 25])
})

test('nothing is unbounded: the limit ends it and the true total is told', async () => {
  const { rows, total } = await collectPages(pages(1000, 10).read, 25, ignore)
  expect([rows.length, total]).toEqual([25, 1000])
})

test('an aggregated answer says a total of 0 and is whole at once', async () => {
  const { asked, read } = pages(7, 10, 0)
  const { rows } = await collectPages(read, 1000, ignore)
  expect([rows.length, asked]).toEqual([7, [1]])
})

test('values that disappear while they are read do not make it ask for ever', async () => {
  const { read } = pages(5, 10, 100)
  expect((await collectPages(read, 1000, ignore)).rows).toHaveLength(5)
})
