import { spawnSync } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readConfig } from '#app/config.ts'
import { migrate } from '#db/migrate.ts'
import { startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { inTerminal } from '#terminal.ts'
import { readArguments, runCommand, usage } from './command.ts'
import { command, contentOf, makeFolder, makePlace, query } from './testing/backup-room.ts'

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
    text: expect.stringMatching(/Backup complete/),
  })
  expect(await command(env, folder, 'restore', 'beside', '--force')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/everything is unchanged: Another server .* already uses the data folder/),
  })
  await server.stop()

  expect(await command(env, folder, 'backup', 'without')).toMatchObject({ code: 0 })
  expect((await readdir(folder)).sort()).toEqual(['beside', 'data', 'without'])
  // Not overwritten, and said so.
  expect(await command(env, folder, 'backup', 'without')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/already exists/),
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
  expect(text).toContain('Backup failed, no file was written: The database holds no platform')
  expect(await readdir(folder)).toEqual([])
})

test('a backup is not written into the folder that it reads', async () => {
  const { url, dataDir, filesDir } = await makePlace('migrated')
  const { code, text } = await command({ DATABASE_URL: url, DATA_DIR: dataDir }, filesDir, 'backup', 'a')
  expect(code).toBe(1)
  expect(text).toContain('lies within the stored files')
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
      if (/Snapshot of|Complete backup of/.test(line)) stop.abort()
    }
    const config = readConfig(env)
    const code = await runCommand({ args, config, folder, say, complain: say, signal: stop.signal })
    return [code, lines.at(-1)]
  }
  expect(await stopped('backup', 'a')).toEqual([1, 'Backup failed, no file was written: stopped'])
  expect(await readdir(folder)).toEqual([])
  await command(env, folder, 'backup', 'b')
  const before = await contentOf({ ...source })
  expect(await stopped('restore', 'b', '--force')).toEqual([1, 'Restore failed, everything is unchanged: stopped'])
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
  const program = fileURLToPath(new URL('../main-backup.ts', import.meta.url))
  const run = (locale: string) =>
    spawnSync(process.execPath, [program, 'restore'], { encoding: 'utf8', env: { ...process.env, LC_ALL: locale } })
  const { status, stderr } = run('C')
  expect(stderr.trim()).toBe(inTerminal(usage))
  expect(status).toBe(2)
  expect(run('zh_CN.UTF-8')).toMatchObject({ status: 2, stderr: `${usage.text}\n` })
})
