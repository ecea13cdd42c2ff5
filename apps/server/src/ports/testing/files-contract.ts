/** What every engine of stored files does; each of them runs all of it. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Files } from '../files.ts'

const megabyte = 1024 * 1024
const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** Content that breaks off after these pieces. */
export const broken = (...pieces: Array<Buffer | string>): Readable =>
  Readable.from(
    (async function* () {
      yield* pieces
      throw new Error('connection lost')
    })(),
  )

/** In the chunks of a connection. */
const sent = (content: Buffer): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(content.length / 65_536) }, (_, n) =>
      content.subarray(n * 65_536, (n + 1) * 65_536),
    ),
  )

/** @param open what is stored, empty; and the same seen by another server */
export function filesContract(open: () => Promise<{ files: Files; elsewhere: Files }>): void {
  let files: Files
  let elsewhere: Files
  beforeEach(async () => {
    const opened = await open()
    files = opened.files
    elsewhere = opened.elsewhere
  })

  const write = (path: string, content: string, maxBytes = 1000) =>
    files.write(path, Readable.from([content]), maxBytes)
  const listed = async (folder = '') => {
    const paths: string[] = []
    for await (const { path } of files.list(folder)) paths.push(path)
    return paths.sort()
  }

  describe('content', () => {
    test('is read as it was written, whole or in part, on every server', async () => {
      expect(await write('a/b/c.txt', 'abc')).toEqual({ size: 3 })
      expect(await text(elsewhere.read('a/b/c.txt'))).toBe('abc')
      expect(await text(files.read('a/b/c.txt', { start: 1, end: 1 }))).toBe('b')
      expect(await text(files.read('a/b/c.txt', { start: 0, end: 4_099 }))).toBe('abc')
      expect(await text(files.read('a/b/c.txt', { start: 3, end: 9 }))).toBe('')
      const stat = await elsewhere.stat('a/b/c.txt')
      expect(stat).toEqual({ size: 3, modifiedAt: expect.any(Number) })
      expect(Math.abs((stat?.modifiedAt ?? 0) - Date.now())).toBeLessThan(600_000)
    })

    test('that is empty is a file, too', async () => {
      expect(await files.write('empty', Readable.from([]), 10)).toEqual({ size: 0 })
      expect(await files.stat('empty')).toMatchObject({ size: 0 })
      expect(await text(files.read('empty'))).toBe('')
    })

    test('that is large is the same byte by byte, across all borders', async () => {
      const content = randomBytes(20 * megabyte + 7)
      expect(await files.write('large.bin', sent(content), content.length)).toEqual({ size: content.length })
      expect(digestOf(await buffer(files.read('large.bin')))).toBe(digestOf(content))
      for (const start of [8 * megabyte - 2, 16 * megabyte - 1, content.length - 3]) {
        const part = await buffer(files.read('large.bin', { start, end: start + 2 }))
        expect(part.equals(content.subarray(start, start + 3))).toBe(true)
      }
    })

    test('of a later write takes the place of an earlier one', async () => {
      await write('a.txt', 'long first content')
      await write('a.txt', 'second')
      expect(await text(files.read('a.txt'))).toBe('second')
    })

    test('over the limit is refused with 100015 and leaves the earlier file and nothing else', async () => {
      await write('a.txt', 'first')
      await expect(write('a.txt', 'x'.repeat(1001))).rejects.toMatchObject({ code: 100015 })
      expect(await write('b.txt', 'x'.repeat(1000))).toMatchObject({ size: 1000 })
      expect(await text(files.read('a.txt'))).toBe('first')
      expect(await listed()).toEqual(['a.txt', 'b.txt'])
    })

    test.each([
      ['small', ['half']],
      ['large', [Buffer.alloc(9 * megabyte), Buffer.alloc(9 * megabyte)]],
    ])('that breaks off leaves nothing: %s', async (_size, pieces) => {
      await expect(files.write('a.txt', broken(...pieces), 100 * megabyte)).rejects.toThrow('connection lost')
      expect(await files.stat('a.txt')).toBeUndefined()
      expect(await listed()).toEqual([])
    })

    test('that is not there cannot be read', async () => {
      await expect(text(files.read('none'))).rejects.toThrow()
      expect(await files.stat('none')).toBeUndefined()
    })
  })

  describe('a file', () => {
    test('moves, also over another; moving what is not there is refused with 100009', async () => {
      await write('temp/a.txt', 'a')
      await write('kept/b.txt', 'b')
      await files.move('temp/a.txt', 'kept/b.txt')
      expect(await text(files.read('kept/b.txt'))).toBe('a')
      expect(await files.stat('temp/a.txt')).toBeUndefined()
      await expect(files.move('temp/a.txt', 'x')).rejects.toMatchObject({ code: 100009 })
    })

    test('is copied under a name by its digests, and the copy does not follow the original', async () => {
      await write('temp/a.bin', 'abc')
      const md5 = '900150983cd24fb0d6963f7d28e17f72'
      const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
      const copy = await files.copy('temp/a.bin', (digests) => `kept/${digests.sha256}.bin`)
      expect(copy).toEqual({ path: `kept/${sha256}.bin`, size: 3, md5, sha256 })
      await write('temp/a.bin', 'xyz')
      expect(await text(files.read(copy.path))).toBe('abc')
      await expect(files.copy('temp/none', () => 'x')).rejects.toMatchObject({ code: 100009 })
      expect(await listed()).toEqual([copy.path, 'temp/a.bin'])
    })

    test('of the machine is taken over', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'ithings-spool-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      await writeFile(join(folder, 'spooled'), 'abc')
      await files.adopt(join(folder, 'spooled'), 'temp/a.bin')
      expect(await text(files.read('temp/a.bin'))).toBe('abc')
      expect(await readdir(folder)).toEqual([])
    })

    test('is removed, and twice is no fault; a folder is no file', async () => {
      await write('a/b.txt', 'b')
      expect(await files.stat('a')).toBeUndefined()
      await files.remove('a/b.txt')
      await files.remove('a/b.txt')
      expect(await elsewhere.stat('a/b.txt')).toBeUndefined()
    })

    test('is listed below its folder with size and time, whatever it is called', async () => {
      const odd = 'temp/设备 1/a (1)!+.txt'
      await write(odd, 'odd')
      await write('temp/new.txt', 'b')
      await write('temporary.txt', 'c')
      expect(await listed('temp')).toEqual(['temp/new.txt', odd].sort())
      expect(await listed()).toEqual(['temp/new.txt', odd, 'temporary.txt'].sort())
      expect(await listed('nowhere')).toEqual([])
      for await (const { path, ...stat } of files.list('temp')) {
        expect(stat.size).toBe((await files.stat(path))?.size)
        expect(Math.abs(stat.modifiedAt - Date.now())).toBeLessThan(600_000)
      }
      expect(await text(files.read(odd))).toBe('odd')
    })

    test('finds room', async () => {
      expect(await files.room()).toBeGreaterThan(megabyte)
    })
  })

  describe('a file that arrives with cuts', () => {
    test('keeps what came before a cut, and goes on at another server', async () => {
      expect(await files.arriving.size('temp/x')).toBe(0)
      await expect(files.arriving.append('temp/x', broken('first '), 0)).rejects.toThrow('connection lost')
      expect(await elsewhere.arriving.size('temp/x')).toBe(6)
      await elsewhere.arriving.append('temp/x', Readable.from(['second']), 6)
      expect(await files.stat('done/x')).toBeUndefined()
      await files.arriving.finish('temp/x', 'done/x')
      expect(await text(files.read('done/x'))).toBe('first second')
      expect(await listed()).toEqual(['done/x'])
    })

    test('is whole however large it is and wherever it was cut', async () => {
      const content = randomBytes(18 * megabyte + 5)
      const cuts = [0, 3 * megabyte, 8 * megabyte, 8 * megabyte + 1, 17 * megabyte, content.length]
      for (const [n, cut] of cuts.slice(1).entries()) {
        const server = n % 2 === 0 ? files : elsewhere
        const from = cuts[n] ?? 0
        expect(await server.arriving.size('temp/large')).toBe(from)
        await server.arriving.append('temp/large', sent(content.subarray(from, cut)), from)
      }
      await files.arriving.finish('temp/large', 'done/large')
      expect(digestOf(await buffer(files.read('done/large')))).toBe(digestOf(content))
      expect(await listed()).toEqual(['done/large'])
    })

    test('can be given up, also before its first byte', async () => {
      await files.arriving.remove('temp/x')
      await files.arriving.append('temp/x', Readable.from([Buffer.alloc(9 * megabyte)]), 0)
      await files.arriving.append('temp/xy', Readable.from(['other']), 0)
      await files.arriving.remove('temp/x')
      expect(await files.arriving.size('temp/x')).toBe(0)
      expect(await files.arriving.size('temp/xy')).toBe(5)
    })

    test('that never came cannot be finished', async () => {
      await expect(files.arriving.finish('temp/none', 'done')).rejects.toMatchObject({ code: 100009 })
    })
  })

  test.each(['../secret.txt', 'a/../../secret.txt', '/etc/passwd', '', '.', 'a/..', '../files-other/x', 'a\0b'])(
    'the path %j cannot be reached',
    async (path) => {
      await expect(write(path, 'x')).rejects.toMatchObject({ code: 100006 })
      expect(() => files.read(path)).toThrow('文件路径不正确')
      await expect(files.stat(path)).rejects.toMatchObject({ code: 100006 })
      await expect((async () => files.remove(path))()).rejects.toMatchObject({ code: 100006 })
      await expect((async () => files.arriving.append(path, Readable.from(['x']), 0))()).rejects.toMatchObject({
        code: 100006,
      })
      expect(await listed()).toEqual([])
    },
  )
}
