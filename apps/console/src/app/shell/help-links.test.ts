import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseMarkdown } from '#features/help/markdown/parse-markdown.ts'
import { samePlace, sectionsOf } from '#features/help/markdown/sections.ts'
import { screens } from '../routes.tsx'
import { helpFor, helpOfScreens, helpScreens } from './help-links.ts'

const sectionsIn = (folder: string, page: string) =>
  sectionsOf(parseMarkdown(readFileSync(new URL(`../../../../../${folder}/${page}.md`, import.meta.url), 'utf8')))

test.each(helpOfScreens)('the help of %s is a section of %s that is there', (_path, page, section) => {
  expect(sectionsIn('docs', page).map(({ slug }) => slug)).toContain(section)
})

test.each(helpOfScreens)('the help of %s is a section of the English %s too', (_path, page, section) => {
  const chinese = sectionsIn('docs', page)
  const english = sectionsIn('docs/en', page)
  const place = english.find(({ slug }) => slug === samePlace(section, chinese, english))
  expect(place?.level).toBe(chinese.find(({ slug }) => slug === section)?.level)
})

test('a screen leads to its own section, any other to the beginning', () => {
  expect(helpFor('/deviceMangers/group/detail/3')).toBe(`/help/operator-guide#${encodeURIComponent('11-分组')}`)
  expect(helpFor('/alarmMangers/alarmConfiguration/log')).toContain(encodeURIComponent('告警记录'))
  expect(helpFor('/account/index')).toBe('/help/operator-guide')
})

test('every path that has help belongs to a screen', () => {
  const lost = helpOfScreens.filter(([path]) => !screens.some((screen) => screen.path.startsWith(path)))
  expect(lost).toEqual([])
  expect(helpScreens().map(({ path }) => path)).toContain('/help/device-guide')
})
