/** What NATS_URL says: a comma list of the servers of one cluster, with the same credentials in each. */
import type { NatsAddress } from './nats-signal.ts'

export const natsUrlForm = '应为逗号分隔的地址，如 nats://user:password@host:4222（或 tls://），用户名都相同'

/** undefined: it is none. */
export function readNatsUrl(text: string): NatsAddress | undefined {
  const urls = text.split(',').map((one) => URL.parse(one.trim()))
  const ways = new Set(urls.map((url) => `${url?.protocol} ${url?.username} ${url?.password}`))
  const [first] = urls
  if (!first || ways.size !== 1 || !urls.every((url) => url && isServer(url))) return undefined
  const servers = urls.map((url) => `${url?.hostname}:${url?.port || 4222}`)
  const [name, password] = [first.username, first.password].map(decodeURIComponent)
  return {
    servers,
    // A name alone is a token, as in the other clients of NATS.
    ...(name && (password ? { user: name, password } : { token: name })),
    ...(first.protocol === 'tls:' && { tls: true }),
  }
}

const isServer = ({ protocol, hostname, pathname, search }: URL): boolean =>
  /^(nats|tls):$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && search === ''
