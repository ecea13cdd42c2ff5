import { expect, test } from 'vitest'
import { failuresOf, type Report, secondTries, secondTryReport, strayErrorsOf } from './second-try.mjs'

const passed = { status: 'passed', fullName: 'signs in' }
const broken = { status: 'failed', fullName: 'saves a scene', failureMessages: ['timed out\n    at scenes.test.ts:9'] }

const ran = (...files: Report['testResults']): Report => ({
  numPassedTests: files.flatMap((one) => one.assertionResults).filter((one) => one.status === 'passed').length,
  numFailedTests: files.flatMap((one) => one.assertionResults).filter((one) => one.status === 'failed').length,
  testResults: files,
})
const good = (name: string) => ({ name, status: 'passed', assertionResults: [passed] })
const bad = (name: string) => ({ name, status: 'failed', assertionResults: [passed, broken] })

const stray = `
⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯
Vitest caught 1 unhandled error during the test run.
⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯
Error: read ECONNRESET
This error originated in "e2e/src/walks/home.test.ts" test file. It doesn't mean the error was thrown inside the file itself, but while it was running.
`

test('a clean run has nothing to run again', () => {
  expect(secondTries({ code: 0, output: '', report: ran(good('/r/a.test.ts')) })).toEqual([])
})

test('a failed file is run again as a whole and named with its first failure', () => {
  const again = secondTries({ code: 1, output: '', report: ran(good('/r/a.test.ts'), bad('/r/b.test.ts')) }) ?? []
  expect(again).toEqual([{ file: '/r/b.test.ts', why: 'saves a scene\ntimed out\n    at scenes.test.ts:9' }])
  expect(secondTryReport(again)).toBe(
    'needed a second try: /r/b.test.ts, a bug to look into\n    saves a scene\n    timed out\n        at scenes.test.ts:9',
  )
})

test('a file that could not even be loaded counts as failed', () => {
  const report = ran({ name: '/r/c.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] })
  expect(failuresOf(report)).toEqual([{ file: '/r/c.test.ts', why: 'SyntaxError' }])
})

test('an error outside of tests is put down to the file that vitest names', () => {
  const report = ran(good('/r/e2e/src/walks/home.test.ts'), good('/r/e2e/src/walks/ota.test.ts'))
  const again = secondTries({ code: 1, output: stray, report })
  expect(again).toMatchObject([{ file: '/r/e2e/src/walks/home.test.ts' }])
  expect(again?.[0]?.why).toContain('read ECONNRESET')
})

test('a file with a failed test and an error outside of it is run again once', () => {
  const report = ran(bad('/r/e2e/src/walks/home.test.ts'))
  expect(secondTries({ code: 1, output: stray, report })).toHaveLength(1)
})

test('an error that no file can be blamed for fails the run', () => {
  const report = ran(good('/r/a.test.ts'))
  expect(strayErrorsOf('Unhandled Errors\nError: somewhere', ['/r/a.test.ts'])).toBeUndefined()
  expect(strayErrorsOf(stray.replace('caught 1', 'caught 2'), ['/r/e2e/src/walks/home.test.ts'])).toBeUndefined()
  expect(secondTries({ code: 1, output: '', report })).toBeUndefined()
  expect(secondTries({ code: 1, output: 'Unhandled Errors\nError: somewhere', report })).toBeUndefined()
})

test('without a report, or with many failed files, there is no second try', () => {
  expect(secondTries({ code: 1, output: '', report: undefined })).toBeUndefined()
  const report = ran(...['a', 'b', 'c', 'd', 'e', 'f'].map(bad))
  expect(secondTries({ code: 1, output: '', report })).toBeUndefined()
})
