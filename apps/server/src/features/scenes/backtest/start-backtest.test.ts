import { hourMs } from '@ithings/contract/durations.ts'
import { JobStatus, readJob } from '@ithings/contract/features/jobs.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HistoryRoom, openHistoryRoom, productID } from '#features/history/testing/history-room.ts'
import { eventually } from '#testing/eventually.ts'
import { uniqueText } from '#testing/people.ts'

let room: HistoryRoom
let start: number

beforeAll(async () => {
  room = await openHistoryRoom()
  start = Math.floor(room.world.clock.now() / hourMs) * hourMs - 4 * hourMs
  await room.reset(start)
  for (const [n, temp] of [70, 85, 90, 60].entries()) await room.report('lamp1', { temp }, start + n * 60_000)
})
afterAll(() => room.close())

const hot = (value: string) =>
  JSON.stringify([
    { productID, operator: 'reportProperty', operationSchema: { dataID: ['temp'], termType: 'gt', values: [value] } },
  ])
const draft = (value: string) => ({ name: '过热', triggerType: 'device' as const, trigger: hot(value) })
const range = () => ({ timeStart: start, timeEnd: start + hourMs })
const delay = JSON.stringify([{ executor: 'delay', delay: { time: 1 } }])

test('a short backtest answers at once, and its job tells the same', async () => {
  // On a busy machine even a short one may take longer than the answer waits.
  const { jobID, ...report } = await eventually(async () => {
    const answer = await room.world.asAdmin(startBacktest, { scene: draft('80'), ...range() })
    expect(answer.total).toBeDefined()
    return answer
  })
  expect(report).toMatchObject({ total: 2, scanned: 4, devices: 1 })
  expect(report.fired?.map(({ timestamp, values }) => [(timestamp - start) / 60_000, values.temp])).toEqual([
    [1, '85 ℃'],
    [2, '90 ℃'],
  ])
  const job = await room.world.asAdmin(readJob, { jobID })
  expect(job).toMatchObject({ kind: 'sceneBacktest', title: '场景回测「过热」', status: JobStatus.done, progress: 100 })
  expect(JSON.parse(job.result)).toEqual(report)
})

test('a saved scene is replayed by its id, and a draft is compared with it', async () => {
  const name = uniqueText('回测')
  const { id } = await room.world.asAdmin(createScene, { name, triggerType: 'device', trigger: hot('88'), then: delay })
  await expect.poll(() => room.world.asAdmin(startBacktest, { id, ...range() })).toMatchObject({ total: 1 })
  await expect
    .poll(() => room.world.asAdmin(startBacktest, { id, scene: draft('80'), ...range() }))
    .toMatchObject({ total: 2, saved: { total: 1, times: [start + 2 * 60_000] } })
})

test.each<[string, () => object, string]>([
  ['neither scene nor id', () => range(), '需要场景内容或场景编号'],
  ['an unknown scene', () => ({ id: 99_999, ...range() }), '场景 99999 不存在'],
  ['a manual scene', () => ({ scene: { triggerType: 'manual' }, ...range() }), '没有可以回放的触发'],
  [
    'an end before the start',
    () => ({ scene: draft('1'), timeStart: start, timeEnd: start }),
    '结束时间须在开始时间之后',
  ],
  [
    'more than 90 days',
    () => ({ scene: draft('1'), timeStart: start - 91 * 24 * hourMs, timeEnd: start }),
    '回测最长 90 天',
  ],
  ['a text that is no JSON', () => ({ scene: { ...draft('1'), when: '[' }, ...range() }), '条件：JSON 格式不对'],
])('%s is refused with a reason', async (_, body, reason) => {
  const result = await room.world.call(startBacktest, body(), { token: room.world.admin })
  expect(result.status).toBe(400)
  expect(result.msg).toContain(reason)
})
