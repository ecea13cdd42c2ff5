/** An MQTT server in this process, which is there on every machine. It speaks 3.1.1. */
import { once } from 'node:events'
import { createServer as createTcp, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { Aedes, type PublishPacket } from 'aedes'

export interface AedesSide {
  port: number
  /** What clients have published. */
  packets: PublishPacket[]
  kill(): Promise<void>
  startAgain(): Promise<void>
}

export interface AedesOptions {
  tls?: { cert: Buffer; key: Buffer }
  password?: string
}

export async function startAedesSide(
  close: (end: () => Promise<void>) => void,
  { tls, password }: AedesOptions = {},
): Promise<AedesSide> {
  const packets: PublishPacket[] = []
  let kill = async () => {}

  async function listen(port: number): Promise<number> {
    const broker = await Aedes.createBroker({
      authenticate: (_client, _name, given, done) =>
        password === undefined || given?.toString() === password
          ? done(null, true)
          : done(Object.assign(new Error('no'), { returnCode: 4 }), false),
    })
    broker.on('publish', (packet, client) => void (client && packets.push(packet)))
    const server = tls ? createTls(tls, broker.handle) : createTcp(broker.handle)
    const open = new Set<Socket>()
    server.on('connection', (socket: Socket) => {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    })
    server.listen(port)
    await once(server, 'listening')
    kill = async () => {
      if (!server.listening) return
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
      await new Promise<void>((resolve) => broker.close(resolve))
    }
    const at = server.address()
    return typeof at === 'object' && at ? at.port : 0
  }

  const port = await listen(0)
  close(() => kill())
  return { port, packets, kill: () => kill(), startAgain: async () => void (await listen(port)) }
}
