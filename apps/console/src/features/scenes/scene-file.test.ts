import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { expect, test } from 'vitest'
import { newSceneOf, readScenes } from './read-scene-file.ts'
import { copyName, freeName, packScenes } from './scene-file.ts'

const scene: Scene = {
  id: 3,
  name: '水泵超温联锁停泵',
  status: 1,
  desc: '夏季',
  createdTime: 1,
  triggerType: 'device',
  trigger: JSON.stringify({
    device: [
      {
        productID: 'pump',
        selector: 'all',
        operator: 'reportProperty',
        operationSchema: { dataID: ['temp'], termType: 'gt', values: ['80'] },
      },
    ],
    timer: null,
  }),
  when: '[]',
  then: JSON.stringify([{ executor: 'delay', delay: { time: 10, unit: 'seconds' } }]),
  updatedTime: 1,
  updatedBy: 'somebody',
  rev: 4,
  triggerText: [],
  whenText: [],
  thenText: [],
  problems: [],
  hints: [],
  alarms: [],
  lastRunTime: 0,
  lastResult: 0,
  lastText: '',
  nextRunTime: 0,
  firedByDay: [],
}

const fileOf = (...scenes: object[]) => JSON.stringify({ format: 'ithings-scenes', scenes })

test('what is exported comes back whole, without what belongs to this installation', () => {
  const text = packScenes([scene])
  expect(text).not.toContain('somebody')
  const [read] = readScenes(text)
  expect(read).toMatchObject({ name: scene.name, desc: '夏季', enabled: true, problems: [] })
  const parts = read?.parts
  expect(parts?.trigger.device?.[0]).toMatchObject({ productID: 'pump', operator: 'reportProperty' })
  expect(parts?.actions[0]?.delay).toEqual({ time: 10, unit: 'seconds' })
  const body = parts && newSceneOf(parts, '新名称', '说明', 2)
  expect(body).toMatchObject({ name: '新名称', desc: '说明', status: 2, triggerType: 'device' })
  expect(JSON.parse(body?.then ?? '')).toHaveLength(1)
})

test('a scene whose parts are texts, as existing consoles keep them, is read too', () => {
  const { name, triggerType, trigger, when, then } = scene
  const [read] = readScenes(fileOf({ name, triggerType, trigger, when, then, status: 2 }))
  expect(read).toMatchObject({ enabled: false, problems: [] })
  expect(read?.parts?.actions).toHaveLength(1)
})

test('a fault belongs to its scene and names the part', () => {
  const good = { name: '好的', triggerType: 'manual', then: [] }
  const bad = { name: '坏的', triggerType: 'timer', trigger: { timer: { cron: '0 0 0 31 2 *' } } }
  const [first, second, third] = readScenes(fileOf(good, bad, { triggerType: 'never' }))
  expect(first?.problems).toEqual([])
  expect(second?.parts).toBeUndefined()
  expect(second?.problems).toEqual(['触发：timer.cron cron表达式检验不通过:0 0 0 31 2 *'])
  expect(third?.problems).toEqual(['缺少名称', '触发方式只能是 device、timer 或 manual'])
})

test.each([
  ['{', '不是有效的 JSON 文件'],
  ['{"format":"ithings-products","products":[]}', '不是从场景列表导出的文件'],
  [fileOf(), '文件里没有场景'],
])('the file %s is refused: %s', (text, reason) => {
  expect(() => readScenes(text)).toThrow(reason)
})

test('a name that is taken gets the first free number, within the limit', () => {
  expect(freeName('巡检', new Set())).toBe('巡检')
  expect(freeName('巡检', new Set(['巡检', '巡检-2']))).toBe('巡检-3')
  const long = 'x'.repeat(64)
  expect(freeName(long, new Set([long]))).toBe(`${'x'.repeat(62)}-2`)
})

test('a copy says that it is one', () => {
  expect(copyName('巡检', new Set(['巡检']))).toBe('巡检-副本')
  expect(copyName('巡检', new Set(['巡检-副本']))).toBe('巡检-副本-2')
  expect(copyName('x'.repeat(64), new Set())).toHaveLength(64)
})
