import { expect, test } from 'vitest'
import { makeLog } from './log.ts'

function logged(write: (log: ReturnType<typeof makeLog>) => void): string[] {
  const lines: string[] = []
  write(makeLog('info', false, { write: (line) => void lines.push(line) }))
  return lines
}

test('a line is one JSON object with its time, whatever is written into it', () => {
  const [line = '', ...rest] = logged((log) => log.warn({ name: 'a\n{"level":60}\r\u001b[2J' }, 'one\ntwo'))
  expect(rest).toEqual([])
  const control = [...line].filter((character) => character < ' ')
  expect(control).toEqual(['\n'])
  expect(JSON.parse(line)).toMatchObject({ level: 40, time: expect.any(Number), msg: 'one\ntwo' })
})

test('passwords and tokens are not written', () => {
  const [line] = logged((log) =>
    log.info({ body: { password: 'hidden-1', token: 'hidden-2' }, req: { headers: { 'ithings-token': 'hidden-3' } } }),
  )
  expect(line).not.toContain('hidden')
})
