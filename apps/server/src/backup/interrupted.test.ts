/** Backups and restores that end in the middle, as programs of their own (decisions.md 4.1: kill -9 loses nothing). */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openDeafProxy } from '#testing/deaf-proxy.ts'
import { makeProgress } from './progress.ts'
import {
  backUp,
  contentOf,
  makeFolder,
  makePlace,
  type Place,
  query,
  restore,
  storeFile,
} from './testing/backup-room.ts'

const program = fileURLToPath(new URL('../main-backup.ts', import.meta.url))

interface Run {
  child: ChildProcess
  said(): string
  ended: Promise<number | null>
}

/** `blocks`: no file may become longer than so many blocks of 512 or 1024 bytes, as on a full disk. */
function run({ url, dataDir, filesDir }: Place, args: string[], blocks?: number): Run {
  const env = {
    ...process.env,
    LC_ALL: 'C',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    FILES_DIR: filesDir,
    INIT_CWD: dataDir,
  }
  const limit = blocks === undefined ? '' : `ulimit -f ${blocks}; `
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', process.execPath, program, ...args], { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, said: () => text, ended: once(child, 'close').then(([code]) => code) }
}

/** The program in the middle of a COPY: it hears nothing of the database from this statement on. */
async function runInto(statement: string, place: Place, args: string[]): Promise<Run> {
  const proxy = await openDeafProxy(place.url)
  onTestFinished(() => proxy.close())
  proxy.loses = statement
  const running = run({ ...place, url: proxy.url }, args)
  await expect.poll(() => proxy.loses === '' || running.said()).toBe(true)
  return running
}

test('a restore that is killed leaves the old content whole, and the next one succeeds', async () => {
  const source = await makePlace('migrated')
  await storeFile(source, 'product/new.bin', randomBytes(10_000))
  const file = await backUp(source)
  const target = await makePlace('migrated')
  await query(target, `insert into role (name) values ('before')`)
  await storeFile(target, 'product/old.bin', 'old')
  const before = await contentOf(target)

  const restoring = await runInto('copy "public"."home_sample"', target, ['restore', file, '--force'])
  restoring.child.kill('SIGKILL')
  expect(await restoring.ended).toBeNull()
  expect(await contentOf(target)).toEqual(before)

  // The server may take a moment to notice that nobody is there any more.
  await expect.poll(() => restore(target, file, true).then(() => 'restored', String)).toBe('restored')
  expect(await contentOf(target)).toEqual(await contentOf(source))
  expect(await readdir(target.filesDir)).toEqual(['product'])
})

test('a backup that is killed leaves no file of that name, and a later one clears what it left', async () => {
  const place = await makePlace('migrated')
  const folder = await makeFolder()
  const file = join(folder, 'daily')
  const backing = await runInto('copy "public"."home_sample"', place, ['backup', file])
  backing.child.kill('SIGKILL')
  expect(await backing.ended).toBeNull()
  const [left = '', ...more] = await readdir(folder)
  expect([left, ...more]).toEqual([expect.stringMatching(/^daily\.[0-9a-f]{8}\.part$/)])

  // Another one might be at work: only what nobody wrote for long goes.
  await backUp(place, file)
  expect(await readdir(folder)).toEqual(['daily', left])
  const long = new Date(Date.now() - 2 * 60 * 60_000)
  await utimes(join(folder, left), long, long)
  await writeFile(join(folder, 'daily.old.part'), 'not ours')
  await expect(backUp(place, file)).rejects.toThrow('already exists')
  expect((await readdir(folder)).sort()).toEqual(['daily', 'daily.old.part'])
})

test('a disk that is full ends a backup without a file and a restore without a change', async () => {
  const place = await makePlace('migrated')
  await storeFile(place, 'product/large.bin', randomBytes(1_000_000))
  const folder = await makeFolder()
  const full = run(place, ['backup', join(folder, 'a')], 100)
  expect([await full.ended, full.said()]).toEqual([
    1,
    expect.stringContaining('Backup failed, no file was written: EFBIG'),
  ])
  expect(await readdir(folder)).toEqual([])

  const file = await backUp(place, join(folder, 'b'))
  await storeFile(place, 'product/small.bin', 'small')
  const before = await contentOf(place)
  const fullThere = run(place, ['restore', file, '--force'], 100)
  expect([await fullThere.ended, fullThere.said()]).toEqual([
    1,
    expect.stringContaining('Restore failed, everything is unchanged: EFBIG'),
  ])
  expect(await contentOf(place)).toEqual(before)
  expect(await readdir(place.filesDir)).toEqual(['product'])
})

test('a backup whose database stops is no backup', async () => {
  const place = await makePlace('migrated')
  const folder = await makeFolder()
  await storeFile(place, 'a.bin', randomBytes(100_000))
  const stopBackup = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'ithings-core backup' and pid <> pg_backend_pid()`
  const plain = makeProgress(() => undefined)
  // Between the snapshot and the first part, and waited for: the backup cannot be through before it is stopped.
  async function* watch(parts: Parameters<typeof plain.watch>[0]) {
    await query(place, stopBackup)
    yield* plain.watch(parts)
  }
  await expect(backUp(place, join(folder, 'a'), { ...plain, watch })).rejects.toThrow(
    'terminating connection due to administrator command',
  )
  expect(await readdir(folder)).toEqual([])
})

test('two backups of one name do not write into each other, and only one gets it', async () => {
  const place = await makePlace('migrated')
  const folder = await makeFolder()
  const file = join(folder, 'same')
  const made = await Promise.allSettled([backUp(place, file), backUp(place, file)])
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(made.find((one) => one.status === 'rejected')?.reason).toMatchObject({
    message: `${file} already exists: use another file name`,
  })
  expect(await readdir(folder)).toEqual(['same'])
  const other = await makePlace('empty')
  await restore(other, file)
  expect(await contentOf(other)).toEqual(await contentOf(place))
})

test('a folder that is not there is named', async () => {
  const place = await makePlace('migrated')
  const file = join(await makeFolder(), 'none', 'a')
  await expect(backUp(place, file)).rejects.toThrow(`Cannot write ${file}: ENOENT`)
})
