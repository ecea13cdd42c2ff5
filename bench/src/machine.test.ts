import { expect, test } from 'vitest'
import { type Machine, machineText, median, processorName } from './machine.ts'
import { row, table } from './row.ts'

const cores = (...parts: string[]) =>
  parts.map((part, i) => `processor\t: ${i}\nCPU implementer\t: 0x41\nCPU part\t: ${part}\n`).join('\n')

const machine: Machine = {
  cores: 2,
  coresThere: 2,
  processor: 'Neoverse-N1',
  arch: 'arm64',
  memoryGB: 24,
  system: 'linux 6.18.44',
  node: 'v26.10.0',
  syncMs: 1.2345,
  load: 0.04,
}

test('the name that Node knows counts, without the blanks that makers fill it up with', () => {
  expect(processorName('Intel(R) Xeon(R)   CPU @ 2.20GHz ', '', 'x64')).toBe('Intel(R) Xeon(R) CPU @ 2.20GHz')
  expect(processorName('Apple M2', '', 'arm64')).toBe('Apple M2')
})

test('an ARM processor without a name is named by its numbers', () => {
  expect(processorName('unknown', cores('0xd0c', '0xd0c'), 'arm64')).toBe('Neoverse-N1')
  expect(processorName('', cores('0xd03', '0xd08'), 'arm64')).toBe('Cortex-A53 + Cortex-A72')
  expect(processorName(undefined, cores('0xfff'), 'arm64')).toBe('part 0xfff of maker 0x41')
  expect(processorName(undefined, '', 'arm64')).toBe('unknown arm64')
})

test('the middle of an even count is the lower one, of nothing 0', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2)
  expect(median([])).toBe(0)
})

test('a machine in one line; fewer cores than there are show', () => {
  expect(machineText(machine)).toBe(
    '2 x Neoverse-N1 (arm64), 24 GB, linux 6.18.44, Node 26.10.0, sync 1.2 ms, load 0.0',
  )
  expect(machineText({ ...machine, cores: 1, load: 3.25 })).toMatch(/^1 of 2 x Neoverse-N1 .* load 3\.3$/)
})

test('every row of the table has its machine', () => {
  const figures = { area: 'Ingest', what: 'reports', figure: 20_600, unit: 'msg/s', reference: 15_500 }
  const rows = [
    { ...row({ ...figures, higherIsBetter: true }), machine },
    { ...row({ ...figures, unit: 'ms' }), machine: { ...machine, processor: 'other' } },
  ]
  const [, , first, second] = table(rows).split('\n')
  expect(first).toContain('| ok     | 2 x Neoverse-N1 (arm64), 24 GB')
  expect(second).toContain('| MISSED | 2 x other (arm64), 24 GB')
})
