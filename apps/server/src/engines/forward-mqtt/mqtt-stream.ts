/** The bytes of MQTT to an address that was looked at: TCP, TLS, or a WebSocket over either. */
import { connect as connectTcp } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createWebSocketStream, WebSocket } from 'ws'
import { guardedHost } from '#engines/forward-shared/guarded.ts'
import type { ForwardGuard } from '#ports/forward-target.ts'

const ports: Record<string, number> = { 'mqtt:': 1883, 'mqtts:': 8883 }

/** @param ca PEM, '' means those that the system knows @throws AddressRefused */
export function openMqttStream(url: URL, guard: ForwardGuard, ca: string): Duplex {
  const to = guardedHost(url, guard)
  const trust = ca === '' ? {} : { ca }
  if (url.protocol === 'ws:' || url.protocol === 'wss:') {
    const plain = new URL(url)
    plain.username = ''
    plain.password = ''
    const socket = new WebSocket(plain, ['mqtt'], { ...trust, lookup: to.lookup, followRedirects: false })
    return createWebSocketStream(socket)
  }
  const port = Number(url.port) || ports[url.protocol] || 0
  return url.protocol === 'mqtts:' ? connectTls({ ...to, ...trust, port }) : connectTcp({ ...to, port })
}
