import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#app/config.ts'
import { makeKeyFile, parseKey, readKeyFile } from './key-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ithings-key-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const bytes = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i))

test.each([
  ['hex', bytes.toString('hex')],
  ['capital hex', bytes.toString('hex').toUpperCase()],
  ['base64', bytes.toString('base64')],
  ['base64 for addresses', bytes.toString('base64url')],
  ['a line', `${bytes.toString('hex')}\n`],
])('32 bytes as %s are a key', (_, text) => {
  expect(parseKey(text)).toEqual(bytes)
  expect(readConfig({ SECRET_KEY: text }).secretKey).toEqual(bytes)
})

test.each([
  'dozen',
  bytes.toString('hex').slice(2),
  `${bytes.toString('hex')}00`,
  bytes.subarray(1).toString('base64'),
])('%s is no key, and SECRET_KEY is refused without repeating it', (text) => {
  expect(parseKey(text)).toBeUndefined()
  const refused = () => readConfig({ SECRET_KEY: text })
  expect(refused).toThrow('SECRET_KEY: must be 32 bytes as 64 hex digits or as base64')
  expect(refused).not.toThrow(text)
})

test('a made key is 64 hex digits that only its owner reads, and is made once', async () => {
  const path = join(folder, 'data', 'secret.key')
  expect(await readKeyFile(path)).toBeUndefined()
  const keys = await Promise.all(Array.from({ length: 5 }, () => makeKeyFile(path)))
  const text = await readFile(path, 'utf8')
  expect(text).toMatch(/^[0-9a-f]{64}\n$/)
  expect(new Set(keys.map((key) => key.toString('hex')))).toEqual(new Set([text.trim()]))
  expect(await readdir(join(folder, 'data'))).toEqual(['secret.key'])
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a file that holds something else is refused by its name, without its content', async () => {
  const path = join(folder, 'secret.key')
  await writeFile(path, 'dozen')
  await expect(readKeyFile(path)).rejects.toThrow(`The secret key in ${path} must be 32 bytes`)
  await expect(readKeyFile(path)).rejects.not.toThrow('dozen')
})
