import { expect, test } from 'vitest'
import { logRow } from '../log-table/testing/log-row.ts'
import { everything, fits } from './stream-filter.ts'

const report = { ...logRow({ method: 'report', content: '{"level":2.4}' }), replies: [] }
const control = {
  ...logRow({ way: 'down', method: 'control', requestID: 'c-1' }),
  replies: [logRow({ way: 'up', method: 'control_reply', requestID: 'c-1', content: '{"msg":"Busy"}' })],
}

test('a request is shown with its reply when either fits', () => {
  const shown = (own: Partial<typeof everything>) =>
    [report, control].filter((one) => fits(one, { ...everything, ...own })).map(({ method }) => method)
  expect(shown({})).toEqual(['report', 'control'])
  expect(shown({ way: 'down' })).toEqual(['control'])
  expect(shown({ way: 'up' })).toEqual(['report', 'control'])
  expect(shown({ keyword: 'LEVEL' })).toEqual(['report'])
  expect(shown({ keyword: ' busy ' })).toEqual(['control'])
  expect(shown({ action: 'event' })).toEqual([])
})
