import { Dialect } from '@ithings/contract/device/messages.ts'
import { addTexts, toEnglish } from '@ithings/contract/english.ts'
import { speaking } from '@ithings/contract/text.ts'
import { expect, test } from 'vitest'
import { readCommandLine, usage } from './command-line.ts'
import texts from './en.json' with { type: 'json' }

test('seconds become milliseconds, words become faults', () => {
  const { options, productIDs } = readCommandLine(
    '--interval 0.5 --events 0 --dialect camel --faults drop,slow --seed s --product a --product b'.split(' '),
  )
  expect(options).toMatchObject({
    intervalMs: 500,
    eventEveryMs: 0,
    dialect: Dialect.camel,
    seed: 's',
    faults: { dropEveryMs: 60_000, reply: 'slow' },
  })
  expect(productIDs).toEqual(['a', 'b'])
})

test('upgrades: shares of all and of one version, modules, seconds', () => {
  const line =
    '--http http://h:1 --module wifi=1.0=x --upgrade-fail 0.1 --upgrade-fail 2.0.0=0.3 --upgrade-restart 2 --upgrade-step 0.5 --upgrade-back 3'
  const { options } = readCommandLine(`${line} --upgrade-download --no-config --command-fail 0.25`.split(' '))
  expect(options.modules).toEqual({ wifi: '1.0=x' })
  expect(options.upgrade).toEqual({
    stepMs: 500,
    download: true,
    http: 'http://h:1',
    failShare: 0.1,
    failShareOf: { '2.0.0': 0.3 },
    restartMs: 2000,
    awayMs: 3000,
    rollBack: true,
  })
  expect(options.remoteConfig).toBe(false)
  expect(options.faults?.failedReplies).toBe(0.25)
})

test.each([
  ['--interval 0', '--interval'],
  ['--count many', '--count'],
  ['--faults rain', 'rain'],
  ['--dialect klingon', 'klingon'],
  ['--unknown', 'unknown'],
  ['--module wifi', '--module'],
  ['--upgrade-fail 2.0.0=30', '--upgrade-fail'],
  ['--command-silent 2', '--command-silent'],
])('%s is refused with its name', (line, named) => {
  expect(() => readCommandLine(line.split(' '))).toThrow(named)
})

test('every fault that the help names is understood', () => {
  const words = /逗号分隔：(.+)/.exec(usage())?.[1]?.split('、') ?? []
  expect(words.length).toBeGreaterThan(5)
  for (const word of words)
    expect(readCommandLine(['--faults', word]).options.faults).not.toEqual(readCommandLine([]).options.faults)
})

test('the help and what is refused are English for who reads English', () => {
  addTexts(texts)
  speaking(toEnglish, () => {
    expect(usage()).not.toMatch(/\p{Script=Han}/u)
    expect(() => readCommandLine(['--count', 'many'])).toThrow('--count must be a number of at least 1, got many')
  })
})
