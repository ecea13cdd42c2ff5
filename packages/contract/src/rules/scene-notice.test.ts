import { expect, test } from 'vitest'
import { notifyVariables } from '../features/notify.ts'
import { type SceneWords, sceneContent, sceneVariables } from './scene-notice.ts'

const words: SceneWords = {
  sceneName: '超温停泵',
  productName: '循环泵',
  deviceName: 'p-9',
  deviceAlias: '九号泵',
  trigger: '温度 > 80 ℃（实际 83.6 ℃）',
  time: '2026-11-15 08:00:00',
}

test('without words of its own a scene says what was seen, where and when', () => {
  expect(sceneContent(words)).toBe(
    '触发：温度 > 80 ℃（实际 83.6 ℃）\n设备：九号泵（p-9）\n产品：循环泵\n场景：超温停泵\n时间：2026-11-15 08:00:00',
  )
})

test('a schedule has no device to name', () => {
  const none = { ...words, productName: '', deviceName: '', deviceAlias: '', trigger: '每天 08:00' }
  expect(sceneContent(none)).toBe('触发：每天 08:00\n场景：超温停泵\n时间：2026-11-15 08:00:00')
})

test('a scene knows no alarm, its level or its count', () => {
  const others = Object.keys(notifyVariables).filter((name) => !sceneVariables.some((own) => own === name))
  expect(others).toEqual(['alarmName', 'level', 'count'])
})
