import { expect, test } from 'vitest'
import { horizontalColumns, parsePreferences } from './preferences.tsx'

test('spec 9: without stored preferences the page size is 10', () => {
  expect(parsePreferences(undefined)).toEqual({
    theme: 'light',
    density: 'middle',
    pageSize: 10,
    formLayout: 'horizontal',
    map: 'language',
  })
})

test('a damaged preference falls back alone and keeps the others', () => {
  expect(parsePreferences({ theme: 'dark', pageSize: 7, density: 1 })).toMatchObject({
    theme: 'dark',
    pageSize: 10,
    density: 'middle',
  })
})

test('spec 9: form label column span 4 and wrapper column span 14', () => {
  expect(horizontalColumns).toEqual({ labelCol: { span: 4 }, wrapperCol: { span: 14 } })
})
