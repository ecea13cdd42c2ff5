import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  createFirmware,
  readFirmware,
  readSigningKey,
  saveSigningKey,
} from '@ithings/contract/features/ota/firmware.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, makeTusClient, type TusClient } from '#features/files/testing/tus.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makePackage, makeProduct, packageBody } from './testing/packages.ts'

let world: World
let tus: TusClient
beforeAll(async () => {
  world = await openWorld()
  tus = makeTusClient(await listen(world), world.admin)
})
afterAll(() => world.close())

const content = 'signed firmware'
const pem = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))
const raw = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')
const signatureOf = (key: KeyObject, text = content) =>
  sign(null, createHash('sha256').update(text).digest(), key).toString('base64')
const save = (productID: string, publicKey: string) =>
  world.call(saveSigningKey, { productID, publicKey }, { token: world.admin })

async function withSignature(productID: string, signature?: string) {
  const body = await packageBody(tus, productID, content)
  return { ...body, files: body.files.map((file) => ({ ...file, ...(signature !== undefined && { signature }) })) }
}
const create = async (productID: string, signature?: string) =>
  world.call(createFirmware, await withSignature(productID, signature), { token: world.admin })

test.each([
  ['PEM', pem],
  ['32 bytes of base64', raw],
])('a product with a key as %s takes only files with a good signature', async (_form, write) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const productID = await makeProduct(world)
  expect(await save(productID, write(publicKey))).toMatchObject({ code: 200 })
  expect(await world.asAdmin(readSigningKey, { productID })).toEqual({ publicKey: pem(publicKey) })

  const missing = await create(productID)
  expect(missing).toMatchObject({ status: 400, code: 100006 })
  expect(missing.msg).toContain('main.bin 没有签名')
  const foreign = await create(productID, signatureOf(generateKeyPairSync('ed25519').privateKey))
  expect(foreign).toMatchObject({ status: 400, code: 100006 })
  expect(foreign.msg).toContain('main.bin 的签名')
  expect(await create(productID, signatureOf(privateKey, 'other content'))).toMatchObject({ code: 100006 })
  expect(await create(productID, 'no signature at all')).toMatchObject({ code: 100006 })

  const firmwareID = await makePackage(world, await withSignature(productID, signatureOf(privateKey)))
  expect((await world.asAdmin(readFirmware, { firmwareID })).files).toMatchObject([{ signed: true }])
})

test('without a key nothing is asked, and a signature proves nothing', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const productID = await makeProduct(world)
  await save(productID, pem(publicKey))
  await save(productID, '')
  expect(await world.asAdmin(readSigningKey, { productID })).toEqual({ publicKey: '' })
  const firmwareID = await makePackage(world, await withSignature(productID, signatureOf(privateKey)))
  expect((await world.asAdmin(readFirmware, { firmwareID })).files).toMatchObject([{ signed: false }])
})

test.each([
  ['a private key', () => String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))],
  ['a key of another kind', () => pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)],
  ['too few bytes', () => Buffer.alloc(31).toString('base64')],
  ['words', () => 'my key'],
])('%s is no key', async (_name, make) => {
  expect(await save(await makeProduct(world), make())).toMatchObject({ status: 400, code: 100006 })
})

test('an unknown product has no key', async () => {
  expect(await save('AAAAAAAAAAA', '')).toMatchObject({ code: 100009 })
})
