/** MQTT over WebSocket (MQTT 3.1.1, 6). */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws'

const subprotocols = ['mqtt', 'mqttv3.1']
/** One frame may hold several MQTT packets; their own limits are looked after by the broker. */
const frameBytes = 1024 * 1024
const keepAliveMs = 60_000

function streamOf(ws: WebSocket): Duplex {
  const stream = createWebSocketStream(ws)
  // A packet is written in pieces; without this each piece would be a frame.
  stream._writev = (pieces, done) => ws.send(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)), done)
  return stream
}

/** @returns the handler of upgrade requests to the path of MQTT */
export function makeMqttUpgrade(
  accept: (stream: Duplex, ip: string) => void,
  addressOf: (request: IncomingMessage) => string,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: frameBytes,
    handleProtocols: (offered) => subprotocols.find((one) => offered.has(one)) ?? false,
  })
  return (request, socket, head) => {
    const ip = addressOf(request)
    ;(socket as Socket).setKeepAlive?.(true, keepAliveMs)
    server.handleUpgrade(request, socket, head, (ws) => accept(streamOf(ws), ip))
  }
}
