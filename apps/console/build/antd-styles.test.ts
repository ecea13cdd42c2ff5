import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { makeTheme } from '../src/kit/theme/theme.ts'
import { makeSheet, withoutMakers } from './antd-styles.ts'

const sheetOf = (dark: boolean, compact: boolean) => makeSheet({ ...makeTheme({ dark, compact }), zeroRuntime: false })

test('one sheet serves both themes and both densities: its rules name variables only', () => {
  const light = sheetOf(false, false)
  expect(light).toMatch(/^@layer antd \{/)
  expect(light).toContain('.ant-btn')
  expect(light).toContain('.ant-input-affix-wrapper')
  expect(light).toContain('.ant-row')
  expect(light).toContain('.ant-tag-success')
  expect(light).not.toContain('[object')
  expect(sheetOf(true, false)).toBe(light)
  expect(sheetOf(false, true)).toBe(light)
})

test('the functions that make styles do not reach the browser, the values of variables do', () => {
  const path = createRequire(import.meta.url).resolve('antd/es/tag/style/index.js')
  const code = withoutMakers(readFileSync(path, 'utf8'), parseAst)
  expect(code).toContain("genStyleHooks('Tag', () => [], prepareComponentToken)")
})
