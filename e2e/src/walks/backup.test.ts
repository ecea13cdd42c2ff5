/** Backup while devices report, wipe, restore: the commands as a person gives them. */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exportDevices } from '@ithings/contract/features/devices/bulk.ts'
import { countDevices, listDevices } from '@ithings/contract/features/devices/info.ts'
import { listPropertyLog } from '@ithings/contract/features/history.ts'
import { JobStatus, readJob } from '@ithings/contract/features/jobs.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { afterAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { connectDevice } from '#device.ts'
import { discard, makeDataDir, type Platform, startPlatform } from '#platform.ts'
import { makePlant, makePump, productID, reportTemp } from '#pump-plant.ts'
import { administrator, knownAdmin } from '#sign-in.ts'
import { soon } from '#visit.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

const folders: string[] = []
let platform: Platform | undefined
afterAll(async () => {
  if (platform) await discard(platform)
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** `npm run backup -- FILE` and its sister, on the data folder of the platform. */
async function npmRun(dataDir: string, ...args: string[]): Promise<string> {
  const { DATABASE_URL: _, ...inherited } = process.env
  const { stdout } = await run('npm', ['run', '--silent', ...args], {
    cwd: root,
    env: { ...inherited, LC_ALL: 'C', DATA_DIR: dataDir },
  })
  return stdout
}

const readHistory = (call: Caller) =>
  call(listPropertyLog, { productID, deviceNames: ['pump1'], dataID: 'pump_temp', page: { page: 1, size: 1_000 } })

async function readAll(call: Caller, jobID: string) {
  const { list: devices, total } = await call(listDevices, { page: { page: 1, size: 100 } })
  const { fileUri } = await call(readJob, { jobID })
  const { list: products } = await call(listProducts, { page: { page: 1, size: 100 } })
  return {
    // Who is connected is not remembered but seen.
    products: products.map(({ onlineCount: _, ...product }) => product),
    names: devices.map(({ deviceName, deviceAlias, firstLogin }) => ({ deviceName, deviceAlias, firstLogin })),
    total,
    neverSeen: (await call(countDevices, {})).deviceCount.inactive,
    history: (await readHistory(call)).list,
    file: await (await fetch(new URL(fileUri, platform?.origin))).text(),
  }
}

test('what was there when the backup began is there again after everything was lost', async () => {
  platform = await startPlatform({ ownDatabase: true, env: knownAdmin })
  const { dataDir } = platform
  let call = await makeCaller(platform, administrator)
  await makePlant(call)
  const key = await makePump(call, 'pump1', '一号泵')
  await makePump(call, 'pump2', '二号泵')
  const pump = await connectDevice(platform, call, key)
  for (const temp of [40, 41.5, 42]) await reportTemp(pump, temp)
  // That it has come is written a moment later.
  await soon(async () => (await call(countDevices, {})).deviceCount.inactive).toBe(1)
  const { jobID } = await call(exportDevices, {})
  await soon(async () => (await call(readJob, { jobID })).status).toBe(JobStatus.done)
  const before = await readAll(call, jobID)
  expect(before.history).toHaveLength(3)
  expect(before.file).toContain('pump2')

  const backups = await makeDataDir()
  folders.push(backups)
  const file = join(backups, 'before.backup')
  expect(await npmRun(dataDir, 'backup', '--', file)).toContain('Backup complete')
  // The platform has not noticed; what comes now is not in the backup.
  await reportTemp(pump, 43)
  expect((await readHistory(call)).list).toHaveLength(4)
  await expect(npmRun(dataDir, 'restore', '--', file, '--force')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already uses the data folder'),
  })
  await pump.end()

  await platform.kill('SIGTERM')
  await rm(dataDir, { recursive: true })
  expect(await npmRun(dataDir, 'restore', '--', file)).toContain('Restore complete')
  platform = await startPlatform({ dataDir })
  expect(platform.printedPassword).toBeUndefined()
  call = await makeCaller(platform, administrator)
  expect(await readAll(call, jobID)).toEqual(before)

  // The device signs in with the secret it always had.
  const again = await connectDevice(platform, call, key)
  await reportTemp(again, 44)
  await again.end()
  expect((await readHistory(call)).list).toHaveLength(4)
})
