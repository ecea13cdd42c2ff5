import { expect, test } from 'vitest'
import { failureReport, type Report } from './failure-report.mjs'

const passed = { status: 'passed', title: 'works', fullName: 'works' }
const failed = {
  status: 'failed',
  title: 'costs $5 (and more)',
  fullName: 'prices costs $5 (and more)',
  failureMessages: ['AssertionError: expected 4 to be 5\n    at prices.test.ts:3'],
}
const reportOf = (...testResults: Report['testResults']): Report => ({
  numPassedTests: testResults.flatMap((one) => one.assertionResults).filter((one) => one.status === 'passed').length,
  numFailedTests: testResults.flatMap((one) => one.assertionResults).filter((one) => one.status === 'failed').length,
  testResults,
})
const file = (name: string, ...assertionResults: Report['testResults'][number]['assertionResults']) => ({
  name: `/repo/${name}`,
  status: assertionResults.some((one) => one.status === 'failed') ? 'failed' : 'passed',
  assertionResults,
})

test('a failed test is told with its file, its reason and how to run it alone; the others are not told', () => {
  const report = reportOf(file('apps/a.test.ts', passed), file('apps/b.test.ts', passed, failed))
  expect(failureReport({ output: '', report, root: '/repo' })).toBe(
    [
      'FAILED apps/b.test.ts › prices costs $5 (and more)',
      '    AssertionError: expected 4 to be 5',
      '        at prices.test.ts:3',
      '  alone: npm test -- apps/b.test.ts -t "costs .5 .and more."',
    ].join('\n'),
  )
})

test('every reason of a failure is told: what the test missed and what the page showed instead', () => {
  const twice = { ...failed, failureMessages: ['Error: no row', 'Error: The walk ended here:'] }
  const told = failureReport({ output: '', report: reportOf(file('e2e/d.test.ts', twice)), root: '/repo' })
  expect(told).toContain('    Error: no row\n    Error: The walk ended here:\n')
})

test('a file that could not be loaded is told by its message', () => {
  const report = reportOf({
    name: '/repo/e2e/c.test.ts',
    status: 'failed',
    message: 'SyntaxError: no',
    assertionResults: [],
  })
  expect(failureReport({ output: '', report, root: '/repo' })).toBe(
    'no test was run\n\nFAILED e2e/c.test.ts\n    SyntaxError: no\n  alone: npm test -- e2e/c.test.ts',
  )
})

test('an error outside of tests is shown, without the colours of the terminal', () => {
  const output = 'all fine\n\u001b[31mUnhandled Error\u001b[0m\nError: late\nThis error originated in "apps/a.test.ts"'
  expect(failureReport({ output, report: reportOf(file('apps/a.test.ts', passed)), root: '/repo' })).toBe(
    'Unhandled Error\nError: late\nThis error originated in "apps/a.test.ts"',
  )
})

test('a run that ended before its report shows the end of what it printed', () => {
  const output = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n')
  const told = failureReport({ output, report: undefined, root: '/repo' })
  expect(told).toMatch(/^line 40\n/)
  expect(told).toMatch(/line 99\n\nvitest ended without a report$/)
})
