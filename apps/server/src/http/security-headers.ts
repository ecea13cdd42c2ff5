/** Security headers; the policy differs for the console's page (nonce), the API page and everything else. */
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface PolicyOptions {
  https: boolean
  /** The map provider is allowed only when the administrator configured a key (spec 7). */
  mapKey: boolean
}

const mapHosts = ['api.map.baidu.com', '*.bdimg.com', '*.bcebos.com', '*.baidu.com']

const join = (directives: Record<string, string[]>): string =>
  Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ')

export function consolePolicy(nonce: string, { https, mapKey }: PolicyOptions): string {
  const map = mapKey ? mapHosts.flatMap((host) => [`http://${host}`, `https://${host}`]) : []
  return join({
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, ...map],
    'style-src': ["'self'", mapKey ? "'unsafe-inline'" : `'nonce-${nonce}'`],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...map],
    'font-src': ["'self'", 'data:'],
    // The live socket of the same host is 'self', too.
    'connect-src': ["'self'", ...map],
    'worker-src': ["'self'", 'blob:'],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'self'"],
    // spec 7: only on https pages; on plain http it would break every request.
    ...(https ? { 'upgrade-insecure-requests': [] } : {}),
  })
}

/** The API page renders with inline styles of its own. */
export const apiPagePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'self'"

const dataPolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Scripts, styles and pictures. A worker lives by it: it must be able to fetch from here and to hash with WebAssembly. */
export const filePolicy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** @param hsts a year with all subdomains, also when a proxy speaks HTTPS for us; else half a year on HTTPS of our own */
export async function installSecurityHeaders(app: FastifyInstance, https: boolean, hsts: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: https ? { policy: 'same-origin' } : false,
    originAgentCluster: https,
    strictTransportSecurity:
      https || hsts ? { maxAge: hsts ? 31_536_000 : 15_552_000, includeSubDomains: hsts } : false,
  })
  app.addHook('onSend', async (request, reply) => {
    // Answers hold what only their caller may see; what may be kept says so itself.
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', dataPolicy)
  })
}
