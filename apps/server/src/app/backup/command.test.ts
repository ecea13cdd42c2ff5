import { spawnSync } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { readConfig } from '../config.ts'
import { readArguments, runCommand, usage } from './command.ts'
import { contentOf, makeFolder, makePlace, query } from './testing/backup-room.ts'

async function command(env: Record<string, string>, folder: string, ...args: string[]) {
  const passphrase = env.BACKUP_PASSPHRASE
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const { signal } = new AbortController()
  const config = readConfig(env)
  const code = await runCommand({ args, config, passphrase, folder, say: write, complain: write, signal })
  return { code, text: lines.join('\n') }
}

const quiet = { info: () => undefined, warn: () => undefined }

test('the embedded database is backed up beside its server and without it, and restored without it', async () => {
  const folder = await makeFolder()
  const dataDir = join(folder, 'data')
  const env = { DATA_DIR: dataDir }
  expect(await command(env, folder, 'backup', 'none')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/no data folder/),
  })

  const server = await startEmbeddedPostgres({ dataDir, log: quiet })
  await migrate(server.connectionString)
  const here = { url: server.connectionString, dataDir, filesDir: join(dataDir, 'files') }
  await query(here, `insert into role (name) values ('kept')`)
  const before = await contentOf(here)
  expect(await command(env, folder, 'backup', 'beside')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/backup made/),
  })
  expect(await command(env, folder, 'restore', 'beside', '--force')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/everything is as it was before: Another server .* already uses the data folder/),
  })
  await server.stop()

  expect(await command(env, folder, 'backup', 'without')).toMatchObject({ code: 0 })
  expect((await readdir(folder)).sort()).toEqual(['beside', 'data', 'without'])
  // Not overwritten, and said so.
  expect(await command(env, folder, 'backup', 'without')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/already there/),
  })

  await rm(dataDir, { recursive: true })
  for (const file of ['beside', 'without']) {
    expect(await command(env, folder, 'restore', file, '--force')).toMatchObject({ code: 0 })
    const again = await startEmbeddedPostgres({ dataDir, log: quiet })
    expect(await contentOf({ ...here, url: again.connectionString })).toEqual(before)
    await again.stop()
  }
})

test('a backup that cannot be made leaves no file', async () => {
  const folder = await makeFolder()
  const { url } = await makePlace('empty')
  const { code, text } = await command({ DATABASE_URL: url, DATA_DIR: folder }, folder, 'backup', 'a')
  expect(code).toBe(1)
  expect(text).toContain('backup failed, no file was made: the database holds no platform')
  expect(await readdir(folder)).toEqual([])
})

test('a backup is not written into the folder that it reads', async () => {
  const { url, dataDir, filesDir } = await makePlace('migrated')
  const { code, text } = await command({ DATABASE_URL: url, DATA_DIR: dataDir }, filesDir, 'backup', 'a')
  expect(code).toBe(1)
  expect(text).toContain('lies within the stored files')
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
  expect(made).toMatchObject({ code: 0, text: expect.stringMatching(/It is encrypted: nobody can restore it without/) })
  expect(made.text).not.toContain('Warning')

  const before = await contentOf(source)
  const restore = (withEnv: Record<string, string>, ...args: string[]) =>
    command(withEnv, folder, 'restore', '--force', ...args)
  for (const [withEnv, why] of [
    [env, /^restore failed, everything is as it was before: .*is encrypted: set BACKUP_PASSPHRASE or name/m],
    [{ ...env, BACKUP_PASSPHRASE: 'Open sesame' }, /everything is as it was before: the passphrase is wrong, or/],
  ] as const) {
    expect(await restore(withEnv, 'locked')).toMatchObject({ code: 1, text: expect.stringMatching(why) })
  }
  const word = join(folder, 'word')
  await writeFile(word, '\n')
  expect((await restore(env, 'locked', '--passphrase-file', 'word')).text).toContain('as its only line')
  expect((await restore(env, 'locked', '--passphrase-file', 'none')).text).toContain('cannot read the passphrase')
  expect(await contentOf(source)).toEqual(before)

  await writeFile(word, 'open sesame\n')
  // The file goes before the variable, and an archive without a passphrase does not mind one.
  const other = { ...env, BACKUP_PASSPHRASE: 'another' }
  expect(await restore(other, 'locked', '--passphrase-file', 'word')).toMatchObject({ code: 0 })
  expect(await restore(other, 'open')).toMatchObject({ code: 0 })
})

test('a stop ends a backup without a file and a restore without a change', async () => {
  const folder = await makeFolder()
  const source = await makePlace('migrated')
  const env = { DATABASE_URL: source.url, DATA_DIR: source.dataDir }
  const stopped = async (...args: string[]) => {
    const stop = new AbortController()
    const lines: string[] = []
    const say = (line: string) => {
      lines.push(line)
      if (/snapshot of|a whole backup of/.test(line)) stop.abort()
    }
    const config = readConfig(env)
    const code = await runCommand({ args, config, folder, say, complain: say, signal: stop.signal })
    return [code, lines.at(-1)]
  }
  expect(await stopped('backup', 'a')).toEqual([1, 'backup failed, no file was made: stopped'])
  expect(await readdir(folder)).toEqual([])
  await command(env, folder, 'backup', 'b')
  const before = await contentOf({ ...source })
  expect(await stopped('restore', 'b', '--force')).toEqual([
    1,
    'restore failed, everything is as it was before: stopped',
  ])
  expect(await contentOf(source)).toEqual(before)
})

test.each([
  [[]],
  [['backup']],
  [['backup', 'a', 'b']],
  [['backup', 'a', '--force']],
  [['backup', 'a', '--passphrase=open sesame']],
  [['backup', 'a', '--passphrase-file']],
  [['restore', 'a', '--forse']],
  [['copy', 'a']],
])('%j is answered with the usage', (args) => {
  expect(readArguments(args, '/somewhere')).toBeUndefined()
})

test('a file is named from where the user stands', () => {
  expect(readArguments(['restore', '--force', 'a'], '/home/me')).toEqual({
    action: 'restore',
    file: '/home/me/a',
    force: true,
  })
  expect(readArguments(['backup', '/b', '--passphrase-file', 'p'], '/home/me')).toEqual({
    action: 'backup',
    file: '/b',
    force: false,
    passphraseFile: '/home/me/p',
  })
})

test('the program says how it is used and ends with 2', () => {
  const program = fileURLToPath(new URL('../../main-backup.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [program, 'restore'], { encoding: 'utf8' })
  expect(stderr.trim()).toBe(usage)
  expect(status).toBe(2)
})
