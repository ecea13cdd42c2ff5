/** Session tokens: JWT HS256 with the public platform's claims plus the session id and token version of ours. */
import { randomUUID } from 'node:crypto'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '#ports/clock.ts'

export interface TokenClaims {
  userID: number
  sid: string
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
  issue(subject: TokenSubject, sid?: string): Promise<IssuedToken>
  read(token: string): Promise<TokenClaims>
  readonly lifeSeconds: number
}

function tokenError(cause: unknown): AppError {
  if (cause instanceof joseErrors.JWTExpired) return new AppError(errors.tokenExpired, { cause })
  if (cause instanceof joseErrors.JWTClaimValidationFailed) return new AppError(errors.tokenNotValidYet, { cause })
  if (cause instanceof joseErrors.JWSSignatureVerificationFailed) return new AppError(errors.tokenInvalid, { cause })
  return new AppError(errors.tokenMalformed, { cause })
}

export function makeTokens(key: Uint8Array, clock: Clock, lifeSeconds: number): Tokens {
  return {
    lifeSeconds,
    async issue(subject, sid = randomUUID()) {
      const issuedAt = Math.floor(clock.now() / 1000)
      const accessExpire = issuedAt + lifeSeconds
      const accessToken = await new SignJWT({
        UserID: String(subject.userID),
        Role: subject.role,
        IsAllData: subject.isAllData,
        sid,
        ver: subject.version,
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
