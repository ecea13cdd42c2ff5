/** Passkeys in this browser; fetched with the library that speaks to it when one is used. */
import type { DataOf } from '@ithings/contract/endpoint.ts'
import { signInByPasskey, type startPasskey, startPasskeySignIn } from '@ithings/contract/features/passkeys.ts'
import { t } from '@ithings/contract/text.ts'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { call } from '#api/call.ts'

type Question = DataOf<typeof startPasskeySignIn>['question']
type NewQuestion = DataOf<typeof startPasskey>['question']
type OptionsOf<F extends (options: { optionsJSON: never }) => unknown> = Parameters<F>[0]['optionsJSON']

/** Nothing came of it, and no server was asked. */
class PasskeyError extends Error {
  override name = 'PasskeyError'
}

async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : ''
    if (name === 'InvalidStateError') {
      throw new PasskeyError(t('这台设备上已经有这个账号的通行密钥'), { cause })
    }
    // Browsers do not tell a person who canceled from one who has none.
    if (name === 'NotAllowedError' || name === 'AbortError') {
      throw new PasskeyError(t('已取消，或这里没有可用的通行密钥'), { cause })
    }
    throw new PasskeyError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

export const answerPasskey = (question: Question) =>
  inWords(startAuthentication({ optionsJSON: question as OptionsOf<typeof startAuthentication> }))

export const createPasskey = (question: NewQuestion) =>
  inWords(startRegistration({ optionsJSON: question as OptionsOf<typeof startRegistration> }))

const quiet = { quiet: true }

/** For the second step of a sign-in. */
export async function passkeyForSignIn() {
  const { question } = await call(startPasskeySignIn, {}, quiet)
  return answerPasskey(question)
}

/** Alone. */
export const signInWithPasskey = async () => call(signInByPasskey, { passkey: await passkeyForSignIn() }, quiet)
