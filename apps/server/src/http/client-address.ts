/** Who is behind a raw request, by the rules that Fastify applies to its own (TRUST_PROXY). */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

function parsed(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}

/** @param entry an address or a network */
export function isWithin(address: string, entry: string): boolean {
  const ip = parsed(address)
  if (!ip) return false
  const [base = '', bits] = entry.split('/')
  const network = parsed(base)
  if (network?.kind() !== ip.kind()) return false
  return ip.match(network, bits === undefined ? (ip.kind() === 'ipv4' ? 32 : 128) : Number(bits))
}

/** Nobody, so many proxies in a row, or a comma list of their addresses and networks. */
export type TrustProxy = false | number | string

/** May whoever is connected to us say who is behind it? */
export const trustsPeer =
  (trustProxy: TrustProxy) =>
  (address: string): boolean =>
    typeof trustProxy === 'string'
      ? trustProxy.split(',').some((entry) => isWithin(address, entry.trim()))
      : trustProxy !== false && trustProxy > 0

export function clientAddress(request: IncomingMessage, trustProxy: TrustProxy): string {
  const entries = typeof trustProxy === 'string' ? trustProxy.split(',').map((entry) => entry.trim()) : []
  const trusted = (address: string, hop: number) =>
    typeof trustProxy === 'number' ? hop < trustProxy : entries.some((entry) => isWithin(address, entry))
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  let address = request.socket.remoteAddress ?? ''
  // From the nearest hop outwards, for as long as each is believed.
  for (const [hop, next] of forwarded.reverse().entries()) {
    if (!trusted(address, hop)) break
    address = next
  }
  return parsed(address)?.toString() ?? address
}
