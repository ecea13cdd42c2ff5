/** A way to a server of the test that can be shut, and that can break in the middle of what is sent. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Gate {
  port: number
  /** Shut, nobody answers at its port. */
  shut(): Promise<void>
  open(): Promise<void>
  /** The next connection that has sent so many bytes breaks before the last of them gets through. */
  breakAfter(bytes: number): void
  /** The next answer is not heard, and its connection breaks. */
  loseAnswer(): void
  connections(): number
}

export async function startGate(far: number): Promise<Gate> {
  const sockets = new Set<Socket>()
  let breaksAfter = Number.POSITIVE_INFINITY
  let losesAnswer = false
  const server = createServer((near) => {
    const other = connect(far, '127.0.0.1')
    const end = () => {
      near.destroy()
      other.destroy()
    }
    sockets.add(near)
    let sent = 0
    near.on('data', (chunk) => {
      sent += chunk.length
      if (sent < breaksAfter) return void other.write(chunk)
      breaksAfter = Number.POSITIVE_INFINITY
      end()
    })
    other.on('data', (chunk) => {
      if (!losesAnswer) return void near.write(chunk)
      losesAnswer = false
      end()
    })
    near.on('error', end).on('close', () => {
      sockets.delete(near)
      other.destroy()
    })
    other.on('error', end).on('close', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const shut = async () => {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  onTestFinished(shut)
  return {
    port,
    shut,
    async open() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    breakAfter: (bytes) => {
      breaksAfter = bytes
    },
    loseAnswer: () => {
      losesAnswer = true
    },
    connections: () => sockets.size,
  }
}
