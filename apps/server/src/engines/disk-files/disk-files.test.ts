import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Files } from '#ports/files.ts'
import { makeDiskFiles } from './disk-files.ts'

let root: string
let files: Files
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ithings-disk-'))
  files = makeDiskFiles(join(root, 'files'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = (path: string, content: string, maxBytes = 1000) => files.write(path, Readable.from([content]), maxBytes)
const stored = () =>
  readdir(join(root, 'files'), { recursive: true, withFileTypes: true }).then((all) =>
    all.filter((one) => one.isFile()),
  )

test('a file is read as it was written, whole or in part', async () => {
  expect(await write('a/b/c.txt', 'abc')).toEqual({ size: 3 })
  expect(await text(files.read('a/b/c.txt'))).toBe('abc')
  expect(await text(files.read('a/b/c.txt', { start: 1, end: 1 }))).toBe('b')
  expect(await files.stat('a/b/c.txt')).toEqual({ size: 3, modifiedAt: expect.any(Number) })
})

test('a later write takes the place of an earlier one', async () => {
  await write('a.txt', 'long first content')
  await write('a.txt', 'second')
  expect(await text(files.read('a.txt'))).toBe('second')
})

test('what is over the limit is refused with 100015 and leaves the earlier file and nothing else', async () => {
  await write('a.txt', 'first')
  await expect(write('a.txt', 'x'.repeat(1001))).rejects.toMatchObject({ code: 100015 })
  expect(await write('b.txt', 'x'.repeat(1000))).toMatchObject({ size: 1000 })
  expect(await text(files.read('a.txt'))).toBe('first')
  expect(await stored()).toHaveLength(2)
})

test('content that breaks off leaves nothing', async () => {
  const broken = Readable.from(
    (async function* () {
      yield 'half'
      throw new Error('connection lost')
    })(),
  )
  await expect(files.write('a.txt', broken, 1000)).rejects.toThrow('connection lost')
  expect(await files.stat('a.txt')).toBeUndefined()
  expect(await stored()).toEqual([])
})

test('a file moves, also over another; moving what is not there is refused with 100009', async () => {
  await write('temp/a.txt', 'a')
  await write('kept/b.txt', 'b')
  await files.move('temp/a.txt', 'kept/b.txt')
  expect(await text(files.read('kept/b.txt'))).toBe('a')
  expect(await files.stat('temp/a.txt')).toBeUndefined()
  await expect(files.move('temp/a.txt', 'x')).rejects.toMatchObject({ code: 100009 })
})

test('a copy is named by what was copied, and does not follow later changes of the original', async () => {
  await write('temp/a.bin', 'abc')
  const md5 = '900150983cd24fb0d6963f7d28e17f72'
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  const copy = await files.copy('temp/a.bin', (digests) => `kept/${digests.sha256}.bin`)
  expect(copy).toEqual({ path: `kept/${sha256}.bin`, size: 3, md5, sha256 })
  await files.writeAt('temp/a.bin', Readable.from(['xyz']), 0)
  expect(await text(files.read(copy.path))).toBe('abc')
  await expect(files.copy('temp/none', () => 'x')).rejects.toMatchObject({ code: 100009 })
  expect(await stored()).toHaveLength(2)
})

test('content goes on from a position; what came before a cut stays', async () => {
  await write('a.bin', '')
  const broken = Readable.from(
    (async function* () {
      yield 'first '
      await expect.poll(async () => (await files.stat('a.bin'))?.size).toBe(6)
      throw new Error('connection lost')
    })(),
  )
  await expect(files.writeAt('a.bin', broken, 0)).rejects.toThrow('connection lost')
  expect(await text(files.read('a.bin'))).toBe('first ')
  await files.writeAt('a.bin', Readable.from(['second']), 6)
  expect(await text(files.read('a.bin'))).toBe('first second')
  await expect(files.writeAt('none.bin', Readable.from(['x']), 0)).rejects.toMatchObject({ code: 100009 })
})

// A device of Linux that is always full.
test.skipIf(!existsSync('/dev/full'))('a full disk is told in words', async () => {
  await write('a.txt', 'a')
  await symlink('/dev/full', join(root, 'files', 'full.bin'))
  await expect(files.writeAt('full.bin', Readable.from(['x']), 0)).rejects.toMatchObject({
    code: 900003,
    message: '存储空间已满',
  })
})

test('a file of the machine is taken over', async () => {
  await writeFile(join(root, 'spooled'), 'abc')
  await files.adopt(join(root, 'spooled'), 'temp/a.bin')
  expect(await text(files.read('temp/a.bin'))).toBe('abc')
  expect(await readdir(root)).toEqual(['files'])
})

test('the room that is left is that of the disk', async () => {
  expect(await files.room()).toBeGreaterThan(1024 * 1024)
})

test('removing twice is no fault; a folder is no file', async () => {
  await write('a/b.txt', 'b')
  expect(await files.stat('a')).toBeUndefined()
  await files.remove('a/b.txt')
  await files.remove('a/b.txt')
  expect(await files.stat('a/b.txt')).toBeUndefined()
})

test('only files that are older than the time are listed, by their paths', async () => {
  await write('temp/old/a.txt', 'a')
  await write('temp/new.txt', 'b')
  await write('kept.txt', 'c')
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const path of ['temp/old/a.txt', 'kept.txt']) await utimes(join(root, 'files', path), hourAgo, hourAgo)
  expect(await files.olderThan('temp', Date.now() - 60_000)).toEqual(['temp/old/a.txt'])
  expect(await files.olderThan('nowhere', Date.now())).toEqual([])
})

describe('paths', () => {
  test.each(['../secret.txt', 'a/../../secret.txt', '/etc/passwd', '', '.', 'a/..', '../files-other/x'])(
    '%j cannot be reached',
    async (path) => {
      await writeFile(join(root, 'secret.txt'), 'secret')
      await mkdir(join(root, 'files-other'), { recursive: true })
      await expect(write(path, 'x')).rejects.toMatchObject({ code: 100006 })
      expect(() => files.read(path)).toThrow('文件路径不正确')
      await expect(files.stat(path)).rejects.toMatchObject({ code: 100006 })
      await expect((async () => files.remove(path))()).rejects.toMatchObject({ code: 100006 })
      expect(await readFile(join(root, 'secret.txt'), 'utf8')).toBe('secret')
    },
  )
})
