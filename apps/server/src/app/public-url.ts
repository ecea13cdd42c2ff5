/** Where devices reach this platform over HTTP: base of the links that are sent to them (`PUBLIC_URL`). */
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
