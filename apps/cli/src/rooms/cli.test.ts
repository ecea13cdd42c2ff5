/** The command line against a server that runs: signing in, calling, refusals, live values, completion in a real shell. */
import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createServiceKey } from '@ithings/contract/features/api-keys.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '../../../server/src/features/devices/testing/make-devices.ts'
import { connectDevice } from '../../../server/src/testing/mqtt-device.ts'
import { openWorld, type World } from '../../../server/src/testing/world.ts'
import { makeFullProduct } from '../../../server/src/uplink/testing/full-product.ts'
import { ithings, listen, makeFolder, start } from '../testing/process.ts'

let world: World
let server: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  world = await openWorld()
  server = await listen(world)
})
afterAll(() => world.close())

test('one signs in by a key from the standard input, has several profiles, and signs out', async () => {
  const env = { XDG_CONFIG_HOME: await makeFolder(), HOME: '/nowhere' }
  const { url, key } = server
  expect(await ithings(env, ['login', '--url', url], 'itk_wrong')).toMatchObject({ code: 77, out: '' })
  expect(await ithings(env, ['whoami'])).toMatchObject({ code: 64, err: expect.stringMatching(/^Not signed in/) })
  expect(await ithings(env, ['login', '--url', `${url}/front/`], `${key}\n`)).toEqual({
    code: 0,
    out: '',
    err: `Signed in to ${url} as administrator, kept as default\n`,
  })
  const file = join(env.XDG_CONFIG_HOME, 'ithings/profiles.json')
  expect(await readFile(file, 'utf8')).toContain(key)
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  // A key that may do one thing only is good, too, and so is one of a program.
  const narrow = await listen(world, { apis: [listProducts.path] })
  expect(await ithings(env, ['login', '--url', url, '--profile', 'narrow'], narrow.key)).toMatchObject({ code: 0 })
  const service = await world.asAdmin(createServiceKey, { name: 'build server', roleID: 1 })
  expect(await ithings(env, ['login', '--url', url, '--profile', 'service'], service.key)).toMatchObject({ code: 0 })
  const { out } = await ithings(env, ['whoami', '--profile', 'default', '--json'])
  expect(JSON.parse(out)).toMatchObject({ url, account: 'administrator', profile: 'default' })
  expect(out).not.toContain(key)
  expect(await ithings(env, ['user', 'index', '--profile', 'narrow'])).toMatchObject({
    code: 77,
    err: expect.stringMatching(/does not include.*\(100012\)\n$/),
  })
  expect(await ithings(env, ['profile', 'narrow'])).toMatchObject({ code: 0 })
  expect((await ithings(env, ['profile'])).out).toMatch(/narrow +http:\S+ +true/)
  expect(await ithings(env, ['logout'])).toMatchObject({ code: 0 })
  expect(JSON.parse(await readFile(file, 'utf8')).profiles).not.toHaveProperty('narrow')
})

test('things are created, listed as table, JSON and YAML, page by page, and deleted', async () => {
  const { env } = server
  for (const name of ['水泵', 'Lamp'])
    expect(
      await ithings(env, ['product', 'info', 'create', '--product-name', name, '--device-type', 'gateway']),
    ).toMatchObject({ code: 0 })
  const listed = await ithings(env, ['product', 'info', 'index', '--columns', 'productName,deviceType'])
  expect(listed.out).toMatch(/^productName {2}deviceType\n/)
  expect(listed.out).toMatch(/\n水泵 {9}2\n/)
  const page = await ithings(env, ['product', 'info', 'index', '--size', '1', '--sort', 'createdTime:desc', '--json'])
  expect(JSON.parse(page.out)).toMatchObject({ list: [{ productName: expect.anything() }], total: 2 })
  const all = await ithings(env, ['product', 'info', 'index', '--all', '--yaml'])
  expect(all.out).toMatch(/total: 2/)
  const [{ productID }] = JSON.parse(page.out).list
  expect(await ithings(env, ['product', 'info', 'delete', '--product-id', productID])).toMatchObject({ code: 64 })
  expect(await ithings(env, ['product', 'info', 'delete', '--product-id', productID, '--yes'])).toMatchObject({
    code: 0,
  })
  expect(await ithings(env, ['product', 'info', 'read', '--product-id', productID])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/\(100009\)\n$/),
  })
  expect(
    await ithings({ ...env, LANG: 'zh_CN.UTF-8' }, ['product', 'info', 'read', '--product-id', productID]),
  ).toMatchObject({
    err: expect.stringMatching(/（100009）\n$/),
  })
})

test('a file is uploaded, and that of a job is waited for and written', async () => {
  const { env } = server
  const folder = await makeFolder()
  await writeFile(join(folder, 'fw.bin'), 'firmware')
  const words = ['common', 'upload-file', '--business', 'productManage', '--scene', 'ota', '--file-path', 'fw.bin']
  const sent = await ithings(env, [...words, '--file', join(folder, 'fw.bin'), '--json'])
  expect(sent).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(sent.out).filePath).toMatch(/fw/)
  const out = join(folder, 'products.csv')
  const exported = ['job', 'export-list', '--path', '/api/v1/things/product/info/index', '-o', out]
  expect(await ithings(env, exported)).toMatchObject({ code: 0 })
  expect(await readFile(out, 'utf8')).toMatch(/productName/)
})

test('values of a device are shown as they come', async () => {
  const productID = await makeFullProduct(world)
  const device = await connectDevice(world, await makeDevice(world, productID))
  const { deviceName } = device.key
  await device.publish('thing/property', { method: 'report', params: { temp: 20 } })
  const watching = start(['watch', productID, deviceName, '--json'], server.env)
  const lines = () =>
    watching.run.out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  await expect.poll(lines).toContainEqual(expect.objectContaining({ dataID: 'temp', value: '20' }))
  expect(lines()).toContainEqual(expect.objectContaining({ dataID: '$status', value: 'online' }))
  // A notice may come before the program listens; then the next value brings one.
  let temp = 20
  await expect
    .poll(async () => {
      await device.publish('thing/property', { method: 'report', params: { temp: ++temp } })
      return lines().filter(({ dataID }) => dataID === 'temp').length
    })
    .toBeGreaterThan(2)
  await device.end()
  await expect.poll(lines).toContainEqual(expect.objectContaining({ dataID: '$status', value: 'offline' }))
  watching.child.kill('SIGINT')
  expect((await watching.ended).code).toBe(0)
  expect(await ithings(server.env, ['watch', productID, 'nobody'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/100009/),
  })
})

test.skipIf(process.platform === 'win32')('bash completes commands, flags and values of enumerations', async () => {
  const folder = await makeFolder()
  await writeFile(join(folder, 'rules.yaml'), '')
  const program = `ithings() { '${process.execPath}' '${join(import.meta.dirname, '../main.ts')}' "$@"; }`
  const completed = async (...words: string[]) => {
    const script = `${program}; source <(ithings completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ithings; printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { ...process.env, LANG: 'C', XDG_CONFIG_HOME: folder }
    const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words], { env, cwd: folder })
    return stdout.trim().split('\n')
  }
  expect(await completed('ithings', 'prod')).toEqual(['product'])
  expect(await completed('ithings', 'product', 'info', 'create', '--dev')).toEqual(['--device-type'])
  expect(await completed('ithings', 'product', 'info', 'create', '--device-type', '')).toEqual([
    'device',
    'gateway',
    'sub-device',
  ])
  expect(await completed('ithings', 'apply', '-f', 'ru')).toEqual(['rules.yaml'])
})
