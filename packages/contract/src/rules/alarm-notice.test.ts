import { expect, test } from 'vitest'
import { type AlarmWords, clearedManyTexts, clearedTexts, raisedTexts, standingManyTexts } from './alarm-notice.ts'

const words: AlarmWords = {
  alarmName: '泵过热',
  level: '超紧急',
  sceneName: '超温停泵',
  productName: '循环泵',
  deviceName: 'p-9',
  deviceAlias: '九号泵',
  trigger: '温度 > 80 ℃（实际 85 ℃）',
  time: '2026-11-15 08:00:00',
  count: 1,
  lasted: 0,
}

test('the first notice says what was seen, where and when', () => {
  expect(raisedTexts(words)).toEqual({
    title: '【超紧急】泵过热 · 九号泵',
    content:
      '触发：温度 > 80 ℃（实际 85 ℃）\n设备：九号泵（p-9）\n产品：循环泵\n场景：超温停泵\n时间：2026-11-15 08:00:00',
  })
})

test('a later one says that it goes on, since when and how often', () => {
  const { title, content } = raisedTexts({ ...words, count: 3, lasted: 120_000 })
  expect(title).toBe('【超紧急】泵过热 · 九号泵（仍在告警）')
  expect(content).toContain('\n持续：2 分钟，共 3 次\n')
})

test('one that happened once and stays is still said to go on', () => {
  const { title, content } = raisedTexts({ ...words, lasted: 1_800_000 }, true)
  expect(title).toBe('【超紧急】泵过热 · 九号泵（仍在告警）')
  expect(content).toContain('\n持续：30 分钟，共 1 次\n')
})

test('a device without an alias is named once, a scene without a device not at all', () => {
  const plain = raisedTexts({ ...words, deviceAlias: '', productName: '' })
  expect(plain.title).toBe('【超紧急】泵过热 · p-9')
  expect(plain.content).toContain('\n设备：p-9\n场景：')
  expect(raisedTexts({ ...words, deviceAlias: 'p-9' }).content).toContain('\n设备：p-9\n')
  const none = raisedTexts({ ...words, deviceName: '', deviceAlias: '', trigger: '' })
  expect(none).toEqual({
    title: '【超紧急】泵过热',
    content: '触发：超温停泵\n场景：超温停泵\n时间：2026-11-15 08:00:00',
  })
})

test('how long it lasted is said in two units at most', () => {
  const lasted = (ms: number) => clearedTexts({ ...words, lasted: ms }).content.match(/持续：(.*)，/)?.[1]
  expect(lasted(0)).toBe('1 秒')
  expect(lasted(59_000)).toBe('59 秒')
  expect(lasted(3_599_000)).toBe('59 分钟')
  expect(lasted(5_400_000)).toBe('1 小时 30 分钟')
  expect(lasted(48 * 3_600_000)).toBe('2 天')
})

test('clearing names the scene that did it', () => {
  expect(clearedTexts({ ...words, count: 2, lasted: 60_000 })).toEqual({
    title: '【已解除】泵过热 · 九号泵',
    content:
      '设备：九号泵（p-9）\n产品：循环泵\n持续：1 分钟，共 2 次\n解除：场景「超温停泵」\n时间：2026-11-15 08:00:00',
  })
})

test('many are told as one, with the first ten', () => {
  const devices = Array.from({ length: 11 }, (_, no) => `p-${no}`)
  const { title, content } = clearedManyTexts(words, devices)
  expect(title).toBe('【已解除】泵过热 · 11 条')
  expect(content).toContain('p-8、p-9 等 11 个\n解除：场景「超温停泵」')
  expect(clearedManyTexts(words, devices.slice(0, 10)).content).toContain('p-9\n')
})

test('many that are still open are told as one, too', () => {
  const devices = Array.from({ length: 11 }, (_, no) => `p-${no}`)
  expect(standingManyTexts(words, devices)).toEqual({
    title: '【超紧急】泵过热 · 11 条（仍在告警）',
    content: '设备：p-0、p-1、p-2、p-3、p-4、p-5、p-6、p-7、p-8、p-9 等 11 个\n时间：2026-11-15 08:00:00',
  })
})
