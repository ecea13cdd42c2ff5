/** Session tokens: JWT HS256 with the public platform's claims plus the session id and token version of ours. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { Language } from '@ithings/contract/text.ts'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '#ports/clock.ts'

/** What a token and all that renew it have in common. */
export interface TokenSession {
  sid: string
  /** Unix seconds of the sign-in. */
  startedAt: number
  /** Unix seconds of the last code of the second factor; 0: none was given. */
  factorAt: number
  /** It was given at a company's provider, which the role's demand is met by. */
  vouched?: boolean
  /** What the sign-in asked for, for whoever has chosen no language; undefined: nothing, which is Chinese. */
  language?: Language | undefined
}

export interface TokenClaims extends TokenSession {
  userID: number
  version: number
  issuedAt: number
  expiresAt: number
}

export interface TokenSubject {
  userID: number
  role: number
  isAllData: number
  version: number
}

export interface IssuedToken {
  accessToken: string
  accessExpire: number
  refreshAfter: number
}

export interface Tokens {
  issue(subject: TokenSubject, session: TokenSession): Promise<IssuedToken>
  read(token: string): Promise<TokenClaims>
  readonly lifeSeconds: number
  /** When a session ends however often its token is renewed; Unix seconds. */
  endOf(session: Pick<TokenSession, 'startedAt'>): number
}

export const toWireToken = (token: IssuedToken) => ({
  accessToken: token.accessToken,
  accessExpire: String(token.accessExpire),
  refreshAfter: String(token.refreshAfter),
})

function tokenError(cause: unknown): AppError {
  if (cause instanceof joseErrors.JWTExpired) return new AppError(errors.tokenExpired, { cause })
  if (cause instanceof joseErrors.JWTClaimValidationFailed) return new AppError(errors.tokenNotValidYet, { cause })
  if (cause instanceof joseErrors.JWSSignatureVerificationFailed) return new AppError(errors.tokenInvalid, { cause })
  return new AppError(errors.tokenMalformed, { cause })
}

/** @param sessionSeconds 0: a session lives as long as it is used */
export function makeTokens(key: Uint8Array, clock: Clock, lifeSeconds: number, sessionSeconds = 0): Tokens {
  const endOf = ({ startedAt }: Pick<TokenSession, 'startedAt'>) =>
    sessionSeconds === 0 ? Number.POSITIVE_INFINITY : startedAt + sessionSeconds
  return {
    lifeSeconds,
    endOf,
    async issue(subject, session) {
      const issuedAt = Math.floor(clock.now() / 1000)
      const accessExpire = Math.min(issuedAt + lifeSeconds, endOf(session))
      const accessToken = await new SignJWT({
        UserID: String(subject.userID),
        Role: subject.role,
        IsAllData: subject.isAllData,
        sid: session.sid,
        ver: subject.version,
        auth_time: session.startedAt,
        mfa: session.factorAt,
        ...(session.vouched && { vouched: true }),
        ...(session.language === 'en' && { lang: 'en' }),
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt(issuedAt)
        .setExpirationTime(accessExpire)
        .sign(key)
      return { accessToken, accessExpire, refreshAfter: issuedAt + Math.floor(lifeSeconds / 2) }
    },
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          currentDate: new Date(clock.now()),
        })
        return {
          userID: Number(payload.UserID),
          sid: String(payload.sid),
          // Tokens of versions before sessions had an end do not say when theirs began.
          startedAt: Number(payload.auth_time ?? payload.iat),
          factorAt: Number(payload.mfa ?? 0),
          vouched: payload.vouched === true,
          language: payload.lang === 'en' ? 'en' : undefined,
          version: Number(payload.ver),
          issuedAt: Number(payload.iat),
          expiresAt: Number(payload.exp),
        }
      } catch (cause) {
        throw tokenError(cause)
      }
    },
  }
}
