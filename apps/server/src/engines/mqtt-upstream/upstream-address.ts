/** What UPSTREAM_MQTT_URL says: a comma list of the addresses of one broker or cluster, with the same user in each. */
export interface UpstreamAddress {
  servers: Array<{ host: string; port: number }>
  tls: boolean
  user?: string
  password?: string
  ca?: Buffer
}

export const upstreamUrlForm =
  '应为逗号分隔的地址，如 mqtt://user:password@host:1883（或 mqtts://），用户名都相同，不带路径'

const isServer = ({ protocol, hostname, pathname, search }: URL): boolean =>
  /^mqtts?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && search === ''

/** undefined: it is none. */
export function readUpstreamUrl(text: string): UpstreamAddress | undefined {
  const urls = text.split(',').map((one) => URL.parse(one.trim()))
  const known = urls.filter((url) => url !== null)
  const ways = new Set(known.map(({ protocol, username, password }) => `${protocol} ${username} ${password}`))
  const [first] = known
  if (!first || known.length < urls.length || ways.size !== 1 || !known.every(isServer)) return undefined
  const tls = first.protocol === 'mqtts:'
  const [user, password] = [first.username, first.password].map(decodeURIComponent)
  return {
    // Square brackets are for addresses; a socket wants the bare number.
    servers: known.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (tls ? 8883 : 1883)),
    })),
    tls,
    ...(user && { user, password: password ?? '' }),
  }
}
