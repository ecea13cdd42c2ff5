import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePrivateFolder } from './private-folder.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ithings-private-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const rights = async (path: string) => (await stat(path)).mode & 0o777

test.skipIf(process.platform === 'win32')('new or not, nobody else can look into it', async () => {
  const [made, open] = [join(root, 'a', 'made'), join(root, 'open')]
  await makePrivateFolder(made)
  expect(await rights(made)).toBe(0o700)
  await mkdir(open)
  await chmod(open, 0o755)
  await makePrivateFolder(open)
  expect(await rights(open)).toBe(0o700)
})
