/** Links that carry their own permission: path, expiry and purpose under one signature (http-api.md 2.8). */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Clock } from '#ports/clock.ts'

/** http-api.md 2.8: base of stored files. */
export const linkBase = '/api/v1/oss/'
export type LinkPurpose = 'get' | 'put'

export interface LinkSigner {
  sign(path: string, purpose: LinkPurpose, lifeSeconds: number, name?: string): string
  /** The path that a link opens; throws when it is forged, expired or meant for something else. */
  check(path: string, purpose: LinkPurpose, query: Record<string, string | undefined>): void
}

export function makeLinkSigner(key: Uint8Array, clock: Clock): LinkSigner {
  const signature = (path: string, purpose: LinkPurpose, expires: string, name: string) =>
    createHmac('sha256', key).update(`${purpose}\n${path}\n${expires}\n${name}`).digest('base64url')
  return {
    sign(path, purpose, lifeSeconds, name = '') {
      const expires = String(Math.floor(clock.now() / 1000) + lifeSeconds)
      const query = new URLSearchParams({ expires, sign: signature(path, purpose, expires, name) })
      if (name) query.set('name', name)
      return `${linkBase}${path.split('/').map(encodeURIComponent).join('/')}?${query}`
    },
    check(path, purpose, { expires = '', sign = '', name = '' }) {
      const wanted = Buffer.from(signature(path, purpose, expires, name))
      const given = Buffer.from(sign)
      if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) {
        throw refusal(errors.permission, '链接无效')
      }
      if (Number(expires) * 1000 < clock.now())
        throw new AppError(errors.signatureExpired, { msg: phrase('链接已过期') })
    },
  }
}
