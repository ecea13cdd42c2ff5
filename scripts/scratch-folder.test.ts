import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { scratchRoot } from './scratch-folder.mjs'

const free = (bytes: number) => () => ({ bavail: bytes / 4096, bsize: 4096 })
const gigabyte = 1024 ** 3

test('tests write into memory where Linux has room for it', () => {
  expect(scratchRoot('linux', free(3 * gigabyte))).toBe('/dev/shm')
  expect(scratchRoot('linux', free(2 * gigabyte))).toBe(tmpdir())
})

test('a system without such a place uses the folder of temporary files', () => {
  const missing = () => {
    throw new Error('ENOENT')
  }
  expect(scratchRoot('linux', missing)).toBe(tmpdir())
  expect(scratchRoot('darwin', free(9 * gigabyte))).toBe(tmpdir())
  expect(scratchRoot('win32', free(9 * gigabyte))).toBe(tmpdir())
})
