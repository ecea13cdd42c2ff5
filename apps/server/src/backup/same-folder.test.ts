import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type FilesPlace, storageOf } from './file-storage.ts'
import { openStaging } from './stored-files.ts'

/** FILES_DIR is DATA_DIR itself, spelled in another way, as capitals do it on macOS and Windows. */
async function sameFolder() {
  const root = await mkdtemp(join(tmpdir(), 'same-folder-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const place = { dataDir: join(root, 'data'), filesDir: join(root, 'Data') }
  await mkdir(join(place.dataDir, 'postgres', 'cluster'), { recursive: true })
  await symlink(place.dataDir, place.filesDir)
  await writeFile(join(place.dataDir, 'postgres', 'password'), 'secret')
  await writeFile(join(place.dataDir, 'a.png'), 'image')
  return place
}

async function filesOf(place: FilesPlace): Promise<string[]> {
  const paths: string[] = []
  for await (const path of storageOf(place).list()) paths.push(path)
  return paths.sort()
}

test('the database is no stored file, however its folder is spelled', async () => {
  const place = await sameFolder()
  expect(await filesOf(place)).toEqual(['a.png'])
})

test('a restore leaves the database alone', async () => {
  const place = await sameFolder()
  await (await openStaging(place, () => undefined)).finish()
  expect(await readdir(place.dataDir)).toEqual(['postgres'])
  expect((await readdir(join(place.dataDir, 'postgres'))).sort()).toEqual(['cluster', 'password'])
})

test('a stored folder that is called like one of the server is stored', async () => {
  const place = await sameFolder()
  await mkdir(join(place.dataDir, 'job', 'mqtt'), { recursive: true })
  await writeFile(join(place.dataDir, 'job', 'mqtt', 'b'), 'b')
  expect(await filesOf(place)).toEqual(['a.png', 'job/mqtt/b'])
})
