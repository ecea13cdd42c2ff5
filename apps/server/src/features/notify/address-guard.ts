/**
 * Where notifications may go (WEBHOOK_ALLOW): somebody who may name an address must not reach the platform's own
 * network through it. The address that is really connected to is looked at, so a name that resolves to something else
 * the second time (DNS rebinding) gains nothing.
 */

import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Phrase } from '@ithings/contract/text.ts'
import ipaddr from 'ipaddr.js'
import { AddressRefused, addressRefused } from '#ports/address-refused.ts'
import { within } from '#ports/within.ts'

export interface AddressGuard {
  allows(address: string): boolean
  /** For node:http: resolves, and answers only with addresses that are allowed. */
  lookup: LookupFunction
}

const globalUnicast = ipaddr.parseCIDR('2000::/3')
/** Answers instances of a cloud about themselves from an address that looks public. */
const cloudHosts = new Set(['168.63.129.16'])

type Address = ReturnType<typeof ipaddr.process>
type Network = ReturnType<typeof ipaddr.parseCIDR>

const isWithin = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/** Mapped IPv6 (::ffff:10.0.0.1) counts as the IPv4 that it is; so do networks written that way. */
function parseNetwork(text: string): Network {
  const [network, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), -1]
  if (network.kind() === 'ipv6' && (network as ipaddr.IPv6).isIPv4MappedAddress()) {
    return [(network as ipaddr.IPv6).toIPv4Address(), bits < 0 ? 32 : Math.max(0, bits - 96)]
  }
  return [network, bits < 0 ? network.toByteArray().length * 8 : bits]
}

/** A single address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  try {
    parseNetwork(text)
    return true
  } catch {
    return false
  }
}

const ownAddresses = (): Set<string> =>
  new Set(
    Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).map(({ address }) => ipaddr.process(address.replace(/%.*$/, '')).toNormalizedString()),
    ),
  )

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv6' && !isWithin(address, globalUnicast)) return false
  const text = address.toNormalizedString()
  return !cloudHosts.has(text) && !ownAddresses().has(text)
}

export function makeAddressGuard(allow: readonly string[], resolve: typeof systemLookup = systemLookup): AddressGuard {
  const networks = allow.map(parseNetwork)

  const allows = (text: string): boolean => {
    const plain = text.replace(/%.*$/, '')
    if (isIP(plain) === 0) return false
    const address = ipaddr.process(plain)
    return networks.some((network) => isWithin(address, network)) || isPublic(address)
  }

  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const allowed = addresses.filter(({ address }) => allows(address))
      const [first] = allowed
      if (!first) return callback(addressRefused(hostname), '', 0)
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
  return { allows, lookup }
}

const longestLookup = 2_000

/** Why nothing would ever be sent there; undefined: it may, or the name says nothing at the moment. */
export async function refusalOf(guard: AddressGuard, url: string): Promise<Phrase | undefined> {
  const host = (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$/g, '')
  if (host === '') return undefined
  if (isIP(host)) return guard.allows(host) ? undefined : addressRefused(host).words
  const judged = new Promise<Phrase | undefined>((resolve) => {
    guard.lookup(host, { all: true }, (error) => resolve(error instanceof AddressRefused ? error.words : undefined))
  })
  return within(longestLookup, judged, () => undefined)
}

/** Of a mail server. */
export const isSmtpUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
}
