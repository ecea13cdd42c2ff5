import { expect, test } from 'vitest'
import { deployLooks } from './labels.ts'

test('spec 4: deployment states are shown as default, processing, success and error', () => {
  expect(deployLooks).toEqual({
    1: { text: '待部署', tone: 'default' },
    2: { text: '部署中', tone: 'processing' },
    3: { text: '部署成功', tone: 'success' },
    4: { text: '部署失败', tone: 'error' },
  })
})
