/**
 * The body of a backup under a passphrase: a salt, then chunks of one size, each sealed with AES-256-GCM. The nonce holds
 * the number of the chunk and whether it is the last one, so none can be changed, moved, left out or added unnoticed.
 */

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { phrase } from '@ithings/contract/text.ts'
import { BackupError, damaged } from './format.ts'

const algorithm = 'aes-256-gcm'
export const saltBytes = 16
const tagBytes = 16
const plainBytes = 64 * 1024
const sealedBytes = plainBytes + tagBytes

/** 128 MB and a good part of a second for every guess; another cost needs another format version. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt)

export interface Passphrase {
  keyFor(salt: Buffer): Promise<Buffer>
}

/** A restore reads its file twice: the key that was found last is kept with the words, which are there just as long. */
export function makePassphrase(words: string): Passphrase {
  // Two keyboards may spell one letter in two ways.
  const spelled = words.normalize('NFC')
  let last: { salt: Buffer; key: Promise<Buffer> } | undefined
  return {
    keyFor(salt) {
      if (!last?.salt.equals(salt)) last = { salt, key: derive(spelled, salt, 32, cost) }
      return last.key
    },
  }
}

/** Unique under its key, which the salt makes another one for every backup. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

interface Chunk {
  body: Buffer
  number: number
  isLast: boolean
}

/** Chunks of `size` bytes; the last one has the rest, and is held back until it is known to be the last. */
async function* chunksOf(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Chunk> {
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  for await (const piece of source) {
    rest = Buffer.concat([rest, piece])
    for (; rest.length > size; rest = rest.subarray(size)) {
      yield { body: rest.subarray(0, size), number: number++, isLast: false }
    }
  }
  yield { body: rest, number, isLast: true }
}

export async function* encrypt(source: AsyncIterable<Buffer>, passphrase: Passphrase): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const key = await passphrase.keyFor(salt)
  yield salt
  for await (const { body, number, isLast } of chunksOf(source, plainBytes)) {
    const cipher = createCipheriv(algorithm, key, nonceOf(number, isLast), { authTagLength: tagBytes })
    yield Buffer.concat([cipher.update(body), cipher.final(), cipher.getAuthTag()])
  }
}

/** Nothing comes out of a chunk before the whole of it was proven. */
export async function* decrypt(
  source: AsyncIterable<Buffer>,
  { salt, passphrase }: { salt: Buffer; passphrase: Passphrase },
): AsyncGenerator<Buffer> {
  const key = await passphrase.keyFor(salt)
  for await (const { body, number, isLast } of chunksOf(source, sealedBytes)) {
    if (body.length < tagBytes) throw damaged(phrase('它没有完就结束了'))
    const decipher = createDecipheriv(algorithm, key, nonceOf(number, isLast), { authTagLength: tagBytes })
    decipher.setAuthTag(body.subarray(-tagBytes))
    const plain = decipher.update(body.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch (cause) {
      if (number === 0) throw new BackupError(phrase('口令不对，或文件已损坏'), { cause })
      throw damaged(phrase('它在生成后被修改或截断'), cause)
    }
    yield plain
  }
}

/** How many bytes `decrypt` gives out for so many. */
export const decryptedBytes = (sealed: number): number => sealed - Math.ceil(sealed / sealedBytes) * tagBytes
