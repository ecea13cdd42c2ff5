/** Backups under a passphrase, and the key of the secrets that goes along. */

import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decrypt, decryptedBytes, encrypt, makePassphrase, saltBytes } from './encryption.ts'
import { encryptedFirstLine } from './format.ts'
import { makeProgress } from './progress.ts'
import {
  backUp,
  command,
  contentOf,
  makeFolder,
  makePlace,
  type Place,
  query,
  restore,
  storeFile,
} from './testing/backup-room.ts'

const passphrase = makePassphrase('correct horse battery staple')
const silent = makeProgress(() => undefined)
const sealed = 64 * 1024 + 16

async function* bites(content: Buffer, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const one of source) all.push(one)
  return Buffer.concat(all)
}

test.each([0, 65_536, 131_073])('%i bytes come out as they went in', async (size) => {
  const content = randomBytes(size)
  const closed = await collect(encrypt(bites(content, 10_007), passphrase))
  const salt = closed.subarray(0, saltBytes)
  const body = closed.subarray(saltBytes)
  expect(await collect(decrypt(bites(body, 50_021), { salt, passphrase }))).toEqual(content)
  expect(decryptedBytes(body.length)).toBe(size)
})

test('an encrypted backup shows nothing, and is restored with its passphrase only', async () => {
  const source = await makePlace('migrated')
  await query(source, `insert into role (name) values ('kept')`)
  await storeFile(source, 'a.bin', randomBytes(5 * sealed))
  const file = await backUp(source, undefined, silent, passphrase)
  const whole = await readFile(file)
  expect(whole.subarray(0, encryptedFirstLine.length).toString()).toBe(encryptedFirstLine)
  // The magic number of zstd.
  expect(whole.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))).not.toBe(encryptedFirstLine.length + saltBytes)

  const target = await makePlace('migrated')
  await storeFile(target, 'old.txt', 'old')
  const before = await contentOf(target)
  await expect(restore(target, file, true)).rejects.toThrow('is encrypted: set BACKUP_PASSPHRASE')
  await expect(restore(target, file, true, makePassphrase('wrong'))).rejects.toThrow(
    /^The passphrase is wrong, or the file is damaged$/,
  )

  const broken = join(await makeFolder(), 'broken')
  const begin = encryptedFirstLine.length + saltBytes
  const chunk = (n: number) => whole.subarray(begin + n * sealed, begin + (n + 1) * sealed)
  const head = whole.subarray(0, begin)
  const changed = Buffer.from(whole)
  changed[begin + 2 * sealed + 5] = (changed[begin + 2 * sealed + 5] ?? 0) ^ 1
  for (const [what, content] of Object.entries({
    changed,
    'cut in a chunk': whole.subarray(0, begin + 2 * sealed + 100),
    'cut between chunks': whole.subarray(0, begin + 2 * sealed),
    'without its last byte': whole.subarray(0, -1),
    'in another order': Buffer.concat([head, chunk(0), chunk(2), chunk(1), whole.subarray(begin + 3 * sealed)]),
    'without a chunk': Buffer.concat([head, chunk(0), whole.subarray(begin + 2 * sealed)]),
    'with a chunk twice': Buffer.concat([head, chunk(0), chunk(0), whole.subarray(begin + sealed)]),
    longer: Buffer.concat([whole, Buffer.from('x')]),
    'the beginning only': whole.subarray(0, begin - 3),
  })) {
    await writeFile(broken, content)
    await expect(restore(target, broken, true, passphrase), what).rejects.toThrow(/damaged/)
  }
  const salted = Buffer.from(whole)
  salted[begin - 1] = (salted[begin - 1] ?? 0) ^ 1
  await writeFile(broken, salted)
  await expect(restore(target, broken, true, passphrase)).rejects.toThrow('The passphrase is wrong, or')
  expect(await contentOf(target)).toEqual(before)

  await restore(target, file, true, passphrase)
  expect(await contentOf(target)).toEqual(await contentOf(source))
})

const keyPath = ({ dataDir }: Place) => join(dataDir, 'secret.key')
const keyOf = (place: Place) => readFile(keyPath(place), 'utf8')
const ours = `${'0123456789abcdef'.repeat(4)}\n`
const theirs = `${'f'.repeat(64)}\n`

test('there is no backup while the secrets have two keys', async () => {
  const source = await makePlace('migrated')
  await query(source, `insert into secret_key (mark) values ('one'), ('two')`)
  await expect(backUp(source)).rejects.toThrow('wait until npm run rotate-secret-key has finished')
})

test('the key of the secrets goes along; another one is kept beside it', async () => {
  const source = await makePlace('migrated')
  await writeFile(keyPath(source), ours, { mode: 0o600 })
  const file = await backUp(source)

  const fresh = await makePlace('empty')
  await restore(fresh, file)
  expect(await keyOf(fresh)).toBe(ours)
  expect((await stat(keyPath(fresh))).mode & 0o777).toBe(0o600)
  await restore(fresh, file, true)
  expect((await readdir(fresh.dataDir)).sort()).toEqual(['secret.key'])

  // In the folder of the stored files too, where what the backup does not have is removed.
  const other = await makePlace('migrated')
  const both = { ...other, filesDir: other.dataDir }
  await writeFile(keyPath(both), theirs)
  const said: string[] = []
  await restore(
    both,
    file,
    true,
    undefined,
    makeProgress((line) => said.push(line)),
  )
  expect(await keyOf(both)).toBe(ours)
  const [old = '', ...more] = (await readdir(both.dataDir)).filter((name) => name !== 'secret.key')
  expect(more).toEqual([])
  expect(await readFile(join(both.dataDir, old), 'utf8')).toBe(theirs)
  expect((await stat(join(both.dataDir, old))).mode & 0o777).toBe(0o600)
  expect(said.join('\n')).toContain(`held another key than the backup`)
  expect(said.join('\n')).toContain(old)
})

test('a restore that fails leaves the key that was there, or none', async () => {
  const source = await makePlace('migrated')
  await writeFile(keyPath(source), ours)
  // Whole as a file, but its rows contradict each other.
  await query(
    source,
    `alter table role_menu drop constraint role_menu_role_id_fkey;
     insert into role_menu values (999, 2)`,
  )
  const file = await backUp(source)
  const target = await makePlace('migrated')
  await expect(restore(target, file, true)).rejects.toThrow('role_menu_role_id_fkey')
  expect(await readdir(target.dataDir)).toEqual([])
  await writeFile(keyPath(target), theirs)
  await expect(restore(target, file, true)).rejects.toThrow('role_menu_role_id_fkey')
  expect(await readdir(target.dataDir)).toEqual(['secret.key'])
  expect(await keyOf(target)).toBe(theirs)
})

test('a backup without a key leaves the key that is there', async () => {
  const target = await makePlace('empty')
  await writeFile(keyPath(target), theirs)
  await restore(target, await backUp(await makePlace('migrated')))
  expect(await keyOf(target)).toBe(theirs)
})

test('a passphrase comes from the environment or a file, and is asked for again', async () => {
  const source = await makePlace('migrated')
  const key = join(source.dataDir, 'secret.key')
  await writeFile(key, `${'a'.repeat(64)}\n`)
  const folder = await makeFolder()
  const env = { DATABASE_URL: source.url, DATA_DIR: source.dataDir }
  const locked = { ...env, BACKUP_PASSPHRASE: 'open sesame' }
  expect((await command(env, folder, 'backup', 'open')).text).toContain('whoever has the file has the secrets')
  const made = await command(locked, folder, 'backup', 'locked')
  expect(made).toMatchObject({
    code: 0,
    text: expect.stringMatching(/The backup is encrypted: nobody can restore it without/),
  })
  expect(made.text).not.toContain('Warning')

  const before = await contentOf(source)
  const restored = (withEnv: Record<string, string>, ...args: string[]) =>
    command(withEnv, folder, 'restore', '--force', ...args)
  for (const [withEnv, why] of [
    [env, /^Restore failed, everything is unchanged: .*is encrypted: set BACKUP_PASSPHRASE or name/m],
    [{ ...env, BACKUP_PASSPHRASE: 'Open sesame' }, /everything is unchanged: The passphrase is wrong, or/],
  ] as const) {
    expect(await restored(withEnv, 'locked')).toMatchObject({ code: 1, text: expect.stringMatching(why) })
  }
  const word = join(folder, 'word')
  await writeFile(word, '\n')
  expect((await restored(env, 'locked', '--passphrase-file', 'word')).text).toContain('as its only line')
  expect((await restored(env, 'locked', '--passphrase-file', 'none')).text).toContain('Cannot read the passphrase')
  expect(await contentOf(source)).toEqual(before)

  await writeFile(word, 'open sesame\n')
  // The file goes before the variable, and an archive without a passphrase does not mind one.
  const other = { ...env, BACKUP_PASSPHRASE: 'another' }
  expect(await restored(other, 'locked', '--passphrase-file', 'word')).toMatchObject({ code: 0 })
  expect(await restored(other, 'open')).toMatchObject({ code: 0 })
})
