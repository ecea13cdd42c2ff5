import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FilesPlace } from './file-storage.ts'
import { fileParts, openStaging } from './stored-files.ts'

let place: FilesPlace
beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stored-files-'))
  place = { dataDir, filesDir: join(dataDir, 'files') }
  await mkdir(place.filesDir)
})
afterEach(() => rm(place.dataDir, { recursive: true, force: true }))

const bytes = (text: string) =>
  (async function* () {
    yield Buffer.from(text)
  })()

test('a file that is deleted before its turn is left out and named', async () => {
  for (const name of ['a', 'b', 'c']) await writeFile(join(place.filesDir, name), name)
  const gone: string[] = []
  const taken: string[] = []
  for await (const { part, content } of fileParts(place, (path) => gone.push(path))) {
    for await (const chunk of content) taken.push(chunk.toString())
    expect(part).toEqual({ kind: 'file', path: taken.at(-1) })
    for (const name of ['a', 'b', 'c']) await rm(join(place.filesDir, name), { force: true })
  }
  expect(taken).toHaveLength(1)
  expect([...taken, ...gone].sort()).toEqual(['a', 'b', 'c'])
})

test('a folder that does not exist has no files', async () => {
  await rm(place.filesDir, { recursive: true })
  for await (const { part } of fileParts(place, () => undefined)) expect.unreachable(JSON.stringify(part))
})

test.each(['../out', '/etc/out', 'a/../../out', '..', '.', 'a\0b'])('the path %j leads nowhere', async (path) => {
  const staging = await openStaging(place, () => undefined)
  await expect(staging.add(path, bytes('x'))).rejects.toThrow('damaged or incomplete')
  await staging.drop()
  expect(await readdir(place.dataDir)).toEqual(['files'])
  expect(await readdir(place.filesDir)).toEqual([])
})

test('files that were put in place before a failure are taken back, others stay', async () => {
  await writeFile(join(place.filesDir, 'same'), 'before')
  const staging = await openStaging(place, () => undefined)
  await staging.add('same', bytes('after'))
  await staging.add('new', bytes('new'))
  await staging.placeNew()
  expect((await readdir(place.filesDir)).filter((name) => !name.startsWith('.')).sort()).toEqual(['new', 'same'])
  await staging.drop()
  expect(await readdir(place.filesDir)).toEqual(['same'])
  expect(await readFile(join(place.filesDir, 'same'), 'utf8')).toBe('before')
})

test('what a killed restore left is cleared by the next one', async () => {
  const killed = await openStaging(place, () => undefined)
  await killed.add('half', bytes('half'))
  const next = await openStaging(place, () => undefined)
  await next.add('whole', bytes('whole'))
  await next.placeNew()
  await next.finish()
  expect(await readdir(place.filesDir)).toEqual(['whole'])
})
