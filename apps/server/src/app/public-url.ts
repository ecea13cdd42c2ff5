/** Where others reach this platform over HTTP (`PUBLIC_URL`): base of the links that they are sent, and what passkeys belong to. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from './config.ts'

const everywhere = new Set(['0.0.0.0', '::'])

/** The address of this machine that others see; none: only itself can ask. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.find((one) => !one.internal && one.family === 'IPv4')?.address ?? '127.0.0.1'
}

export function publicUrl({ publicUrl, host, tls }: Pick<Config, 'publicUrl' | 'host' | 'tls'>, port: number): string {
  if (publicUrl) return publicUrl
  const name = everywhere.has(host) ? ownAddress() : host
  return `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Browsers bind a passkey to the name of a host, and know them on HTTPS and on localhost only. Without `PUBLIC_URL` that is
 * localhost, for who tries the platform on his own machine; an address is no name.
 */
export function passkeyPlace({ publicUrl, tls }: Pick<Config, 'publicUrl' | 'tls'>, port: number) {
  const { origin, protocol, hostname } = new URL(publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${port}`)
  const named = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0
  const safe = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return named && safe ? { rpID: hostname, origin } : undefined
}

/** Whose pages may speak to this server: its own address, and those that were allowed. */
export const ownOrigins = ({ corsOrigins, publicUrl }: Pick<Config, 'corsOrigins' | 'publicUrl'>): string[] => [
  ...corsOrigins,
  ...(publicUrl ? [new URL(publicUrl).origin] : []),
]
