/** Ed25519: who holds the private key signs packages, the platform refuses what nobody signed. */

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, badField, errors } from '@ithings/contract/errors.ts'
import type { saveSigningKey as endpoint } from '@ithings/contract/features/ota/firmware.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import type { FirmwareDeps } from './firmware-deps.ts'
import { requireProduct } from './store.ts'

const wrong = (detail: Phrase, cause?: unknown) => new AppError(errors.parameter, { detail, field: 'publicKey', cause })

function parseKey(text: string): KeyObject {
  if (text.includes('PRIVATE')) throw wrong(phrase('请填写公钥；私钥不应离开签名的人'))
  try {
    if (text.includes('BEGIN')) return createPublicKey(text)
    const x = Buffer.from(text, 'base64')
    if (x.length !== 32) throw new Error('not 32 bytes')
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') }, format: 'jwk' })
  } catch (cause) {
    throw wrong(phrase('公钥须为 PEM，或 32 字节的 base64'), cause)
  }
}

export async function saveSigningKey({ db }: FirmwareDeps, input: BodyOutput<typeof endpoint>): Promise<void> {
  const { productID: product_id, publicKey } = input
  await requireProduct(db, product_id)
  if (publicKey === '') {
    await db.deleteFrom('firmware_key').where('product_id', '=', product_id).execute()
    return
  }
  const key = parseKey(publicKey)
  if (key.asymmetricKeyType !== 'ed25519') throw wrong(phrase('只支持 Ed25519 公钥'))
  const public_key = String(key.export({ type: 'spki', format: 'pem' }))
  await db
    .insertInto('firmware_key')
    .values({ product_id, public_key })
    .onConflict((conflict) => conflict.column('product_id').doUpdateSet({ public_key }))
    .execute()
}

export const findKey = async (db: Db, productID: string): Promise<string> => {
  const row = await db
    .selectFrom('firmware_key')
    .select('public_key')
    .where('product_id', '=', productID)
    .executeTakeFirst()
  return row?.public_key ?? ''
}

export async function readSigningKey({ db }: FirmwareDeps, { productID }: { productID: string }) {
  await requireProduct(db, productID)
  return { publicKey: await findKey(db, productID) }
}

const unsigned = (name: string) => badField('files', '该产品要求签名，文件 {name} 没有签名', { name })

/** Told before large files are copied. */
export function requireSignatures(key: string, files: ReadonlyArray<{ name: string; signature?: string | undefined }>) {
  const bare = key === '' ? undefined : files.find((file) => !file.signature)
  if (bare) throw unsigned(bare.name)
}

/** The signed message is the 32 bytes of the SHA-256. */
export function checkSignature(key: string, name: string, sha256: string, signature: string | undefined): void {
  if (key === '') return
  if (!signature) throw unsigned(name)
  if (verify(null, Buffer.from(sha256, 'hex'), key, Buffer.from(signature, 'base64'))) return
  throw badField('files', '文件 {name} 的签名与该产品的公钥不符', { name })
}
