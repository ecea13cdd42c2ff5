/**
 * Is what a browser brings from a passkey true? Everything that a person can do something about is refused here in words
 * of our own; signatures and formats are looked at by @simplewebauthn/server.
 */
import { createHash } from 'node:crypto'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { NewPasskey, PasskeyProof } from '@ithings/contract/features/passkey-proof.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type { Selectable } from 'kysely'
import * as z from 'zod'
import type { PasskeyTable } from '#db/tables/users.ts'
import { type Purpose, spendChallenge } from './passkey-challenges.ts'
import type { PasskeyPlace, UsersDeps } from './users-deps.ts'

/** Signature schemes that are offered to authenticators, the first is preferred: EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257]

/** 30 MB of memory that only those pay who have passkeys. */
const webauthn = () => import('@simplewebauthn/server')

const refusedPasskey = (detail: Phrase, cause?: unknown) => new AppError(errors.passkey, { detail, cause })

const damaged = (cause?: unknown) => refusedPasskey(phrase('浏览器返回的数据不完整'), cause)
const untrue = (cause?: unknown) => refusedPasskey(phrase('签名不正确'), cause)
const copied = () => refusedPasskey(phrase('计数器没有增加，它可能被复制过，请移除后重新添加'))

export function requirePlace({ passkeyPlace }: Pick<UsersDeps, 'passkeyPlace'>): PasskeyPlace {
  const place = passkeyPlace()
  if (!place) {
    throw refusedPasskey(phrase('平台须通过域名和 HTTPS 访问，请管理员设置 PUBLIC_URL'))
  }
  return place
}

const clientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
})

/** What the browser says of the place where the passkey was used. Spends the challenge. */
async function checkClient(
  deps: UsersDeps,
  text: string,
  asked: { type: 'webauthn.create' | 'webauthn.get'; purpose: Purpose; userID?: number | undefined },
): Promise<{ challenge: string; place: PasskeyPlace }> {
  const place = requirePlace(deps)
  let said: z.output<typeof clientData>
  try {
    said = clientData.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch (cause) {
    throw damaged(cause)
  }
  if (!(await spendChallenge(deps.db, deps.clock, said.challenge, asked.purpose, asked.userID))) {
    throw refusedPasskey(phrase('这次验证已使用过或已过期，请重试'))
  }
  if (said.type !== asked.type) throw damaged()
  if (said.origin !== place.origin || said.crossOrigin) {
    const { origin } = said
    throw refusedPasskey(phrase('来自 {origin}，只能在 {own} 使用', { origin, own: place.origin }))
  }
  return { challenge: said.challenge, place }
}

/** For whom it was used, and whether it made sure who uses it. */
function checkAuthenticator(data: Uint8Array, { rpID }: PasskeyPlace): { counter: number } {
  if (data.length < 37) throw damaged()
  const bytes = Buffer.from(data)
  if (!bytes.subarray(0, 32).equals(createHash('sha256').update(rpID).digest())) {
    throw refusedPasskey(phrase('不是为 {rpID} 创建的', { rpID }))
  }
  // Bits of WebAuthn 6.1: 0 somebody was there, 2 he was verified.
  if (((bytes[32] ?? 0) & 0b101) !== 0b101) {
    throw refusedPasskey(phrase('没有验证使用者，请用指纹、面容或 PIN 解锁'))
  }
  return { counter: bytes.readUInt32BE(33) }
}

/** A new one, made for the challenge of this user. */
export async function checkNewPasskey(deps: UsersDeps, given: NewPasskey, userID: number) {
  const asked = { type: 'webauthn.create', purpose: 'add', userID } as const
  const { challenge, place } = await checkClient(deps, given.response.clientDataJSON, asked)
  const { verifyRegistrationResponse } = await webauthn()
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  let authData: Uint8Array
  try {
    authData = decodeAttestationObject(Buffer.from(given.response.attestationObject, 'base64url')).get('authData')
  } catch (cause) {
    throw damaged(cause)
  }
  checkAuthenticator(authData, place)
  const { clientDataJSON, attestationObject } = given.response
  const verified = await verifyRegistrationResponse({
    response: { ...given, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.rpID,
    supportedAlgorithmIDs: algorithms,
  }).catch((cause: unknown) => {
    throw damaged(cause)
  })
  if (!verified.verified) throw untrue()
  const { credential, credentialBackedUp } = verified.registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: given.response.transports,
    backed_up: credentialBackedUp,
  }
}

export const findPasskey = ({ db }: Pick<UsersDeps, 'db'>, { id }: PasskeyProof) =>
  db
    .selectFrom('passkey')
    .innerJoin('app_user', 'app_user.user_id', 'passkey.user_id')
    .selectAll('passkey')
    .select('passkey_handle')
    .where('credential_id', '=', id)
    .executeTakeFirst()

type FoundPasskey = Selectable<PasskeyTable> & { passkey_handle: string }

export const handleBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** Used once more: written down by the statement that compares the counter, whichever server asks. */
async function noteUse({ db, clock }: UsersDeps, { id }: FoundPasskey, counter: number, backedUp: boolean) {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter, backed_up: backedUp, used_at: new Date(clock.now()) })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.val(counter === 0)])]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw copied()
}

/** `found`: the passkey that `proof` names. */
export async function checkPasskey(
  deps: UsersDeps,
  proof: PasskeyProof,
  found: FoundPasskey | undefined,
  asked: { purpose: 'sign-in' | 'verify'; userID?: number },
): Promise<void> {
  const { response } = proof
  const { challenge, place } = await checkClient(deps, response.clientDataJSON, { type: 'webauthn.get', ...asked })
  const { counter } = checkAuthenticator(Buffer.from(response.authenticatorData, 'base64url'), place)
  if (!found) throw refusedPasskey(phrase('平台没有这个通行密钥，它可能已被移除'))
  const handle = response.userHandle && Buffer.from(response.userHandle, 'base64url')
  if (handle && !handle.equals(handleBytes(found.passkey_handle))) throw damaged()
  // Those that do not count say 0 for ever.
  if ((counter > 0 || found.counter > 0) && counter <= found.counter) throw copied()
  const { verifyAuthenticationResponse } = await webauthn()
  const { userHandle: _, ...signed } = response
  const verified = await verifyAuthenticationResponse({
    response: { ...proof, response: signed, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.rpID,
    credential: { id: found.credential_id, publicKey: new Uint8Array(found.public_key), counter: found.counter },
  }).catch((cause: unknown) => {
    throw untrue(cause)
  })
  if (!verified.verified) throw untrue()
  await noteUse(deps, found, counter, verified.authenticationInfo.credentialBackedUp)
}

/** For whoever has said already who he is: behind the password, or signed in. */
export async function refuseWrongPasskey(
  deps: UsersDeps,
  user: { user_id: number },
  proof: PasskeyProof,
  purpose: 'sign-in' | 'verify',
): Promise<void> {
  const found = await findPasskey(deps, proof)
  if (found && found.user_id !== user.user_id) throw refusedPasskey(phrase('它属于另一个账号'))
  await checkPasskey(deps, proof, found, { purpose, ...(purpose === 'verify' && { userID: user.user_id }) })
}
