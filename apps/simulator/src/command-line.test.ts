import { Dialect } from '@ithings/contract/device/messages.ts'
import { expect, test } from 'vitest'
import { readCommandLine, usage } from './command-line.ts'

test('seconds become milliseconds, words become faults', () => {
  const { options, productIDs } = readCommandLine(
    '--interval 0.5 --events 0 --dialect camel --faults drop,slow --seed s --product a --product b'.split(' '),
  )
  expect(options).toEqual({
    intervalMs: 500,
    eventEveryMs: 0,
    dialect: Dialect.camel,
    seed: 's',
    faults: { dropEveryMs: 60_000, reply: 'slow' },
  })
  expect(productIDs).toEqual(['a', 'b'])
})

test.each([
  ['--interval 0', '--interval'],
  ['--count many', '--count'],
  ['--faults rain', 'rain'],
  ['--dialect klingon', 'klingon'],
  ['--unknown', 'unknown'],
])('%s is refused with its name', (line, named) => {
  expect(() => readCommandLine(line.split(' '))).toThrow(named)
})

test('every fault that the help names is understood', () => {
  const words = /逗号分隔：(.+)/.exec(usage)?.[1]?.split('、') ?? []
  expect(words.length).toBeGreaterThan(5)
  for (const word of words) expect(readCommandLine(['--faults', word]).options.faults).not.toEqual({})
})
