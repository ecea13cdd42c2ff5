/** A line that can fall silent without being closed, as when a machine or a cable is gone: nobody gets a reset. */
import { connect, createServer, type Socket } from 'node:net'

export interface SilentLine {
  port: number
  /** Nothing passes any more in either direction, also not for who comes anew. */
  hold(): void
  /** What was caught in it is lost: its connections end, and whoever comes next gets through. */
  goOn(): void
  close(): Promise<void>
}

export async function openSilentLine(to: number): Promise<SilentLine> {
  const sockets = new Set<Socket>()
  let isHeld = false
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      if (isHeld) one.pause()
      else one.pipe(other)
      one.on('error', () => undefined)
      // A silent line does not tell that the other end has gone either.
      one.on('close', () => {
        sockets.delete(one)
        if (!isHeld) other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  return {
    port: typeof at === 'object' && at ? at.port : 0,
    hold() {
      isHeld = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    goOn() {
      isHeld = false
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
