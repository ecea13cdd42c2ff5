import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cutLog, logTail } from './log-file.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'log-file-'))
})
afterEach(() => rm(dir, { recursive: true }))

test('a log over the limit is emptied and only its end is kept beside it', async () => {
  const path = join(dir, 'postgres.log')
  await writeFile(path, `${'old\n'.repeat(100)}new\n`)
  await cutLog(path, 8)
  expect(await readFile(path, 'utf8')).toBe('')
  expect(await readFile(`${path}.1`, 'utf8')).toBe('old\nnew\n')
})

test('a log within the limit stays as it is, and a missing one is no error', async () => {
  const path = join(dir, 'postgres.log')
  await cutLog(path, 8)
  await writeFile(path, 'short\n')
  await cutLog(path, 8)
  expect(await readFile(path, 'utf8')).toBe('short\n')
})

test('the tail is the end of the file', async () => {
  const path = join(dir, 'postgres.log')
  await writeFile(path, `${'x'.repeat(5000)}\nFATAL: the reason\n`)
  expect(await logTail(path)).toMatch(/FATAL: the reason$/)
  expect((await logTail(path)).length).toBeLessThan(2001)
})
