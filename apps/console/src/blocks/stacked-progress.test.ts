import { expect, test } from 'vitest'
import { progressText } from './stacked-progress.tsx'

test('the words of a bar leave out what is not there and end with the whole', () => {
  const parts = [
    { label: '成功', value: 1200, tone: 'success' as const },
    { label: '失败', value: 0, tone: 'error' as const },
    { label: '执行中', value: 3, tone: 'processing' as const },
  ]
  expect(progressText(parts, 2000)).toBe('成功 1,200，执行中 3，共 2,000')
  expect(progressText([], 5)).toBe('共 5')
})
