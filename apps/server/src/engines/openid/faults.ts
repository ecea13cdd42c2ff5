/** Why a sign-in at a provider came to nothing, in words that a person at the sign-in page can use. */
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import * as oidc from 'openid-client'
import { findError, reasonOf, wordsIn } from '#engines/forward-shared/reach.ts'
import { SignOnFault } from '#ports/identity-provider.ts'

/** What others say is shown, but not at any length. */
const clip = (text: unknown): string => String(text ?? '').slice(0, 200)

const claims: Record<string, Phrase> = {
  nonce: phrase('对方的令牌不是对这次登录的应答'),
  aud: phrase('对方的令牌是给别的应用的'),
  azp: phrase('对方的令牌是给别的应用的'),
  iss: phrase('对方的令牌由别的服务签发'),
  exp: phrase('对方的令牌已过期'),
  iat: phrase('对方的令牌的时间不对，请检查两边的时钟'),
  nbf: phrase('对方的令牌的时间不对，请检查两边的时钟'),
}

const codes: Record<string, Phrase> = {
  OAUTH_KEY_SELECTION_FAILED: phrase('对方的签名密钥里没有签发这个令牌的那一个'),
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: phrase('对方自称的签发者与填写的地址不一致'),
  OAUTH_RESPONSE_IS_NOT_JSON: phrase('对方的应答不是 JSON，请检查签发者地址'),
  OAUTH_RESPONSE_IS_NOT_CONFORM: phrase('对方的应答不符合 OpenID Connect，请检查签发者地址'),
  OAUTH_MISSING_SERVER_METADATA: phrase('对方没有公布登录所需的地址'),
  OAUTH_UNSUPPORTED_OPERATION: phrase('对方的令牌用了不支持的签名算法'),
}

/** The claim that a check was about. */
function claimOf(error: unknown): string | undefined {
  const inner = (error as { cause?: { cause?: { claim?: unknown } } }).cause?.cause
  return typeof inner?.claim === 'string' ? inner.claim : undefined
}

function refusedBy(error: oidc.ResponseBodyError): Phrase {
  if (error.error === 'invalid_client') return phrase('对方不接受这个客户端，请检查客户端 ID 和密钥')
  if (error.error === 'invalid_grant') return phrase('登录凭据已用过或已过期，请重新登录')
  return phrase('对方拒绝：{said}', { said: clip(error.error_description ?? error.error) })
}

/** @returns undefined for what no provider is to blame for */
function wordsOf(error: unknown): Phrase | undefined {
  if (error instanceof SignOnFault) return error.words
  if (error instanceof oidc.AuthorizationResponseError) {
    if (error.error === 'access_denied') return phrase('你在对方那里取消了登录，或没有获准使用本平台')
    return phrase('对方拒绝：{said}', { said: clip(error.error_description ?? error.error) })
  }
  if (error instanceof oidc.ResponseBodyError) return refusedBy(error)
  if (error instanceof oidc.WWWAuthenticateChallengeError) return phrase('对方不接受这个客户端，请检查客户端 ID 和密钥')
  if (!(error instanceof oidc.ClientError)) return undefined
  const claim = claimOf(error)
  if (claim !== undefined) return claims[claim] ?? phrase('对方的令牌中 {claim} 不正确', { claim })
  if (error.code === 'OAUTH_INVALID_RESPONSE') return invalidResponse(error)
  return codes[error.code ?? '']
}

/** Of one code, which says in its cause what it is about. */
function invalidResponse(error: Error): Phrase {
  const said = String((error.cause as Error | undefined)?.message ?? '')
  if (/"iss"/.test(said)) return phrase('应答来自别的登录服务')
  if (/"state"/.test(said)) return phrase('应答不属于这次登录，请重新登录')
  if (/signature/.test(said)) return phrase('对方的令牌签名不正确')
  if (/nonce/.test(said)) return claims.nonce as Phrase
  return phrase('对方的应答不符合 OpenID Connect：{said}', { said: clip(said) })
}

const isFault = (error: Error): error is SignOnFault => error instanceof SignOnFault

/** Whatever went wrong at or on the way to a provider. */
export function toFault(error: unknown): SignOnFault {
  const known = findError(error, isFault)
  if (known) return known
  const words = wordsOf(error) ?? wordsIn(error) ?? phrase('登录服务无法使用：{reason}', { reason: reasonOf(error) })
  return new SignOnFault(words, { cause: error })
}

export const orFault = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw toFault(error)
  }
}
