/** The few packets of MQTT 5 with which a server blames a message: it says what the body of the message asks for. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

interface Packet {
  type: number
  body: Buffer
}

/** Whole packets at the beginning of the bytes, and the bytes that remain. */
function packetsOf(bytes: Buffer): { packets: Packet[]; rest: Buffer } {
  const packets: Packet[] = []
  let rest = bytes
  // None of the test is longer than the two bytes of length say.
  while (rest.length > 2) {
    const [first = 0, low = 0, high = 0] = rest
    const start = low < 128 ? 2 : 3
    const end = start + (low < 128 ? low : (low & 127) + high * 128)
    if (rest.length < end) break
    packets.push({ type: first >> 4, body: rest.subarray(start, end) })
    rest = rest.subarray(end)
  }
  return { packets, rest }
}

/** Each PUBLISH ends with its text; properties come before. */
const textOf = (body: Buffer): string => /(?:PUBACK|DISCONNECT) \d+$|[a-z]$/.exec(body.toString('latin1'))?.[0] ?? ''

export interface Mqtt5Side {
  port: number
  taken: string[]
}

export async function startMqtt5Side(close: (end: () => Promise<void>) => void): Promise<Mqtt5Side> {
  const taken: string[] = []
  const open = new Set<Socket>()
  function answer(socket: Socket, { type, body }: Packet): void {
    // CONNACK
    if (type === 1) return void socket.write(Buffer.from([0x20, 3, 0, 0, 0]))
    if (type !== 3) return
    const at = 2 + body.readUInt16BE(0)
    const [what, code = '0'] = textOf(body).split(' ')
    if (what === 'DISCONNECT') return void socket.end(Buffer.from([0xe0, 2, Number(code), 0]))
    if (what !== 'PUBACK') taken.push(what ?? '')
    socket.write(Buffer.from([0x40, 4, body[at] ?? 0, body[at + 1] ?? 0, Number(code), 0]))
  }
  const server = createServer((socket) => {
    let waiting: Buffer = Buffer.alloc(0)
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      const { packets, rest } = packetsOf(Buffer.concat([waiting, chunk]))
      waiting = rest
      for (const packet of packets) if (socket.writable) answer(socket, packet)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close(async () => {
    server.close()
    for (const socket of open) socket.destroy()
    await once(server, 'close')
  })
  const at = server.address()
  return { port: typeof at === 'object' && at ? at.port : 0, taken }
}
