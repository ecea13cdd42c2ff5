import { expect, test } from 'vitest'
import { switchState } from './enable-switch.tsx'

const gone = '触发 1：产品 p 下没有设备 pump-1'
const hint = '动作 2：没有关联的告警配置'
const of = (status: number, problems: string[], hints: string[]) => switchState({ status, problems, hints })

test('what is gone keeps a scene off, and an enabled one can still be switched off', () => {
  expect(of(2, [gone], [])).toEqual({ enabled: false, blocked: true, notes: ['不能启用：', gone], mark: '有问题' })
  expect(of(1, [gone], [hint])).toMatchObject({
    blocked: false,
    notes: ['已启用，但不能完整执行：', gone, '提醒：', hint],
  })
})

test('a mere hint is told and keeps nobody from switching it on', () => {
  expect(of(2, [], [hint])).toEqual({ enabled: false, blocked: false, notes: ['提醒：', hint], mark: '有提醒' })
  expect(of(1, [], [])).toEqual({ enabled: true, blocked: false, notes: [], mark: undefined })
})
