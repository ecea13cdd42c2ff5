import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Files } from '#ports/files.ts'
import { filesContract } from '#ports/testing/files-contract.ts'
import { makeDiskFiles } from './disk-files.ts'

let root: string
let files: Files
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ithings-disk-'))
  files = makeDiskFiles(join(root, 'files'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

filesContract(async () => ({ files, elsewhere: makeDiskFiles(join(root, 'files')) }))

test('a copy does not follow who still writes into the original', async () => {
  await files.arriving.append('temp/a.bin', Readable.from(['abc']), 0)
  const copy = await files.copy('temp/a.bin', () => 'kept/a.bin')
  await files.arriving.append('temp/a.bin', Readable.from(['xyz']), 0)
  expect(await text(files.read(copy.path))).toBe('abc')
})

// A device of Linux that is always full.
test.skipIf(!existsSync('/dev/full'))('a full disk is told in words', async () => {
  await files.write('a.txt', Readable.from(['a']), 10)
  await symlink('/dev/full', join(root, 'files', 'full.bin'))
  await expect(files.arriving.append('full.bin', Readable.from(['x']), 0)).rejects.toMatchObject({
    code: 900003,
    message: '存储空间已满',
  })
})

test('a form that lies in the folder of parts is taken over without a copy of it', async () => {
  await files.write('.part/form-1/file', Readable.from(['abc']), 10)
  await files.adopt(join(root, 'files/.part/form-1/file'), 'temp/a.bin')
  expect(await text(files.read('temp/a.bin'))).toBe('abc')
  expect(await readdir(join(root, 'files/.part/form-1'))).toEqual([])
})

test('a store on disk has no links of its own', async () => {
  expect(await files.link('a', { method: 'GET', seconds: 1, name: '' })).toBeUndefined()
})

test('what lies beside the folder cannot be reached', async () => {
  await writeFile(join(root, 'secret.txt'), 'secret')
  expect(() => files.read('../secret.txt')).toThrow('文件路径不正确')
  await expect(files.write('../secret.txt', Readable.from(['x']), 10)).rejects.toMatchObject({ code: 100006 })
  expect(await readFile(join(root, 'secret.txt'), 'utf8')).toBe('secret')
  for await (const one of files.list('')) expect.unreachable(one.path)
})
