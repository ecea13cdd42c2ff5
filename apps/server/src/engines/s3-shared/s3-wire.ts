/** Addresses and answers of S3 stores, as everybody needs them who calls one. */

/** Path style, unless the endpoint is that of the bucket itself: some stores know only bucket.host. */
export function addressOf(endpoint: string, bucket: string): string {
  const base = endpoint.replace(/\/+$/, '')
  return new URL(base).hostname.startsWith(`${bucket}.`) ? base : `${base}/${bucket}`
}

export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
export const encodePath = (path: string): string => path.split('/').map(encode).join('/')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (text: string): string =>
  text.replace(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (whole, hex, digits, name) =>
    digits ? String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)) : (entities[name] ?? whole),
  )

/** The answers are flat lists that programs wrote: elements of one name are found without a parser. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^]*?)</${name}>`, 'g'))].map(([, inner = '']) => inner)
export const textOf = (xml: string, name: string): string => plain(elements(xml, name)[0] ?? '')
