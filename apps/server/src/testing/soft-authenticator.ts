/** An authenticator for passkeys in software: real keys, real signatures, attestation "none". It can be told to misbehave. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { startPasskey, startPasskeySignIn } from '@ithings/contract/features/passkeys.ts'

type NewQuestion = DataOf<typeof startPasskey>['question']
type Question = DataOf<typeof startPasskeySignIn>['question']

/** Where the person believes to be, and what the authenticator does. */
export interface Use {
  origin?: string
  rpID?: string
  /** False: nobody was asked for a finger or a PIN. */
  verified?: boolean
  type?: string
  counter?: number
  challenge?: string
  crossOrigin?: boolean
}

interface AuthenticatorOptions {
  origin: string
  /** False: it says 0 for ever, as those do that are kept by several devices. */
  counts?: boolean
  algorithm?: 'ES256' | 'EdDSA'
}

// CBOR (RFC 8949), as much as an attestation needs: integers, bytes, texts and maps in the order given.
const head = (major: number, n: number): Buffer => {
  if (n < 24) return Buffer.from([(major << 5) | n])
  return n < 256 ? Buffer.from([(major << 5) | 24, n]) : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
}
type Item = number | string | Buffer | [number | string, Item][]
function cbor(item: Item): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item])
  return Buffer.concat([head(5, item.length), ...item.flatMap(([key, value]) => [cbor(key), cbor(value)])])
}

const part = (key: KeyObject, name: 'x' | 'y'): Buffer =>
  Buffer.from(String(key.export({ format: 'jwk' })[name]), 'base64url')

function makeKey(algorithm: 'ES256' | 'EdDSA') {
  if (algorithm === 'EdDSA') {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const cose = cbor([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, part(publicKey, 'x')],
    ])
    return { cose, sign: (data: Buffer) => sign(null, data, privateKey) }
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cose = cbor([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, part(publicKey, 'x')],
    [-3, part(publicKey, 'y')],
  ])
  return { cose, sign: (data: Buffer) => sign('sha256', data, privateKey) }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** Holds one passkey, made by `create`. */
export function makeAuthenticator({ origin, counts = true, algorithm = 'ES256' }: AuthenticatorOptions) {
  const id = randomBytes(32)
  const key = makeKey(algorithm)
  let handle = randomBytes(16).toString('base64url')
  let uses = 0

  const client = (type: string, challenge: string, use: Use) =>
    Buffer.from(
      JSON.stringify({
        type: use.type ?? type,
        challenge: use.challenge ?? challenge,
        origin: use.origin ?? origin,
        crossOrigin: use.crossOrigin ?? false,
      }),
    )

  const data = (rpID: string, use: Use, attested: Buffer) => {
    if (counts) uses++
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(use.counter ?? uses)
    // Present, verified, may be and is kept elsewhere too, attested data follow.
    const kept = counts ? 0 : 0b11000
    const flags = 1 | (use.verified === false ? 0 : 0b100) | kept | (attested.length > 0 ? 0b1000000 : 0)
    return Buffer.concat([sha256(use.rpID ?? rpID), Buffer.from([flags]), counter, attested])
  }
  const names = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const }

  return {
    id: names.id,
    create(question: NewQuestion, use: Use = {}) {
      handle = question.user.id
      const length = Buffer.from([id.length >> 8, id.length & 255])
      const authData = data(question.rp.id, use, Buffer.concat([Buffer.alloc(16), length, id, key.cose]))
      const attestation = cbor([
        ['fmt', 'none'],
        ['attStmt', []],
        ['authData', authData],
      ])
      return {
        ...names,
        response: {
          clientDataJSON: client('webauthn.create', question.challenge, use).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    use(question: Question, use: Use = {}) {
      const clientData = client('webauthn.get', question.challenge, use)
      const authenticatorData = data(question.rpId, use, Buffer.alloc(0))
      return {
        ...names,
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: key.sign(Buffer.concat([authenticatorData, sha256(clientData)])).toString('base64url'),
          userHandle: handle,
        },
      }
    },
  }
}
export type SoftAuthenticator = ReturnType<typeof makeAuthenticator>
