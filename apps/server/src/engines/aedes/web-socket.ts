/** MQTT over WebSocket (MQTT 3.1.1, 6) as a stream of bytes. */
import type { Duplex } from 'node:stream'
import { createWebSocketStream, type WebSocket } from 'ws'

export const mqttSubprotocols = ['mqtt', 'mqttv3.1'] as const

export const webSocketStream = (socket: WebSocket): Duplex => createWebSocketStream(socket)
