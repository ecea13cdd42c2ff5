/** How the broker of the tests lets somebody in: SASL PLAIN, or SCRAM (RFC 5802). */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { int16, int64, list, sized, text, type WireReader } from './wire.ts'

export interface SignIn {
  mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
  username: string
  password: string
}

const signInFailed = 58
const unsupported = 33

/** Answers of the server, one after the other; ends without one for whom it does not let in. */
function* scram({ mechanism, username, password }: SignIn): Generator<string, undefined, string> {
  const hash = mechanism === 'SCRAM-SHA-256' ? 'sha256' : 'sha512'
  const hmac = (key: Buffer, data: string) => createHmac(hash, key).update(data).digest()
  const first = yield ''
  const [, name, nonce] = /^n,,n=([^,]*),r=(.*)$/.exec(first) ?? []
  if (name !== username) return
  const [salt, rounds, both] = [randomBytes(16), 4_096, `${nonce}${randomBytes(9).toString('hex')}`]
  const challenge = `r=${both},s=${salt.toString('base64')},i=${rounds}`
  const last = yield challenge
  const [, bare = '', proof = ''] = /^(c=[^,]*,r=.*),p=(.*)$/.exec(last) ?? []
  const salted = pbkdf2Sync(password, salt, rounds, createHash(hash).digest().length, hash)
  const all = [first.slice(3), challenge, bare].join(',')
  const clientKey = hmac(salted, 'Client Key')
  const signature = hmac(createHash(hash).update(clientKey).digest(), all)
  const expected = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)))
  const given = Buffer.from(proof, 'base64')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return
  yield `v=${hmac(hmac(salted, 'Server Key'), all).toString('base64')}`
}

function* plain({ username, password }: SignIn): Generator<string, undefined, string> {
  const given = yield ''
  if (given === ['', username, password].join('\0')) yield ''
}

export function makeSignIn(wanted: SignIn | undefined) {
  const steps = wanted && (wanted.mechanism === 'PLAIN' ? plain(wanted) : scram(wanted))
  let done = wanted === undefined
  steps?.next('')
  return {
    isDone: () => done,
    shake(reader: WireReader): Buffer {
      const isWanted = reader.text() === wanted?.mechanism
      return Buffer.concat([int16(isWanted ? 0 : unsupported), list([text(wanted?.mechanism ?? '')])])
    },
    prove(reader: WireReader, version: number): Buffer {
      const said = steps?.next(reader.text(reader.int32())).value
      done ||= said === '' || said?.startsWith('v=') === true
      const [failure, why] = said === undefined ? [signInFailed, 'wrong name or password'] : [0, null]
      const lifetime = version > 0 ? int64(0n) : Buffer.alloc(0)
      return Buffer.concat([int16(failure), text(why), sized(Buffer.from(said ?? '')), lifetime])
    },
  }
}
