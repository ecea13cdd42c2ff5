/** The way to an address that people named: only to those that the platform may be led to. */
import { isIP, type LookupFunction } from 'node:net'
import { addressRefused } from '#ports/address-refused.ts'
import type { ForwardGuard } from '#ports/forward-target.ts'

export interface GuardedHost {
  host: string
  /** Asked by each new socket, so that a name which means something else later gains nothing. */
  lookup: LookupFunction
  /** Whom the certificate has to name; an address has none. */
  servername?: string
}

/** @throws AddressRefused, of an address that is written as one: node:net asks no lookup about it */
export function guardedHost(url: URL, guard: ForwardGuard): GuardedHost {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 0) return { host, lookup: guard.lookup, servername: host }
  if (!guard.allows(host)) throw addressRefused(host)
  return { host, lookup: guard.lookup }
}

/** Who signs in: the fields of the form, or else what stands in the address. */
export function signInOf(url: URL, { username, password }: { username: string; password: string }) {
  if (username !== '') return { username, password }
  return { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
}
