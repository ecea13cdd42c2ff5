import { expect, test } from 'vitest'
import { withTemplate } from './deal-fields.tsx'

test('a template begins the note and another one takes its place', () => {
  expect(withTemplate('', '已现场确认')).toBe('已现场确认')
  expect(withTemplate('阀卡滞', '已现场确认')).toBe('已现场确认：阀卡滞')
  expect(withTemplate('已现场确认：阀卡滞', '传感器误报')).toBe('传感器误报：阀卡滞')
})

test('the same template again takes it away and keeps what was typed', () => {
  expect(withTemplate('已现场确认：阀卡滞', '已现场确认')).toBe('阀卡滞')
  expect(withTemplate('已现场确认', '已现场确认')).toBe('')
})

test('a note never grows beyond what the server takes', () => {
  expect(withTemplate('长'.repeat(200), '传感器误报')).toHaveLength(200)
})
