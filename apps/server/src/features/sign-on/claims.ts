/** What a provider says of somebody, made into a name, a role and whether a second factor was given. Pure. */
import { createHash } from 'node:crypto'
import type { FactorTrust, RoleRule } from '@ithings/contract/features/sign-on.ts'
import { userNamePattern } from '@ithings/contract/features/users.ts'

export type Claims = Readonly<Record<string, unknown>>

/** The claim of that name (they may hold dots themselves: `https://example.com/roles`), else the way by its dots. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let at: unknown = claims
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Claims)[name]
  }
  return at
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

export const textAt = (claims: Claims, path: string): string => {
  const value = claimAt(claims, path)
  return isPlain(value) ? String(value).trim() : ''
}

/** Of a text its words count, not parts of them: `admin` is not in `not-admin`. */
function holds({ claim, operator, value }: RoleRule, claims: Claims): boolean {
  const said = claimAt(claims, claim)
  if (operator === 'equals') return isPlain(said) && String(said) === value
  const parts = Array.isArray(said) ? said : typeof said === 'string' ? said.split(/[\s,]+/) : []
  return parts.some((part) => isPlain(part) && String(part) === value)
}

/** Undefined: no rule holds. */
export const roleByRules = (rules: readonly RoleRule[], claims: Claims): number | undefined =>
  rules.find((rule) => holds(rule, claims))?.roleID

const shortest = 6
const longest = 20

/**
 * A user name of ours (6 to 20 of a few characters) as near as it can be to what the provider says. It tells people apart
 * on screens and in logs; who somebody is, the subject says.
 */
export function userNameOf(said: string, subject: string): string {
  const mark = createHash('sha256').update(subject).digest('hex').slice(0, 8)
  // Of an address of e-mail the part that names the person.
  const plain = said
    .replace(/@.*$/, '')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const begun = /^[A-Za-z]/.test(plain) ? plain : `u-${plain}`.replace(/-+$/, '')
  const name = begun.length >= shortest ? begun.slice(0, longest) : `${begun}-${mark}`
  return userNamePattern.test(name) ? name : `user-${mark}`
}

/** RFC 8176: what somebody knows, has, or is. */
const kinds: readonly (readonly string[])[] = [
  ['pwd', 'pin', 'kba'],
  ['otp', 'hwk', 'swk', 'sc', 'sms', 'tel', 'pop'],
  ['face', 'fpt', 'iris', 'retina', 'vbm'],
]

/** Did the provider see a second factor? Two of one kind are none. */
export function vouchesFactor(
  claims: Claims,
  { factor, acrValues }: { factor: FactorTrust; acrValues: string },
): boolean {
  if (factor === 'always') return true
  const asked = acrValues.split(/\s+/).filter(Boolean)
  if (typeof claims.acr === 'string' && asked.includes(claims.acr)) return true
  const methods = Array.isArray(claims.amr) ? claims.amr : []
  if (methods.includes('mfa')) return true
  return kinds.filter((kind) => kind.some((method) => methods.includes(method))).length >= 2
}
