/** A line that can fall silent without being closed, as when a machine or a cable is gone: nobody gets a reset. */
import { connect, createServer, type Socket } from 'node:net'

export interface SilentLine {
  port: number
  /** Nothing passes any more in either direction, also not for who comes anew. */
  hold(): void
  /** What was caught in it is lost: its connections end, and whoever comes next gets through. */
  goOn(): void
  /** What was caught stays as it is; whoever comes next is led elsewhere, as by an address that has moved. */
  leadTo(port: number): void
  close(): Promise<void>
}

export async function openSilentLine(to: number): Promise<SilentLine> {
  const sockets = new Set<Socket>()
  const caught = new WeakSet<Socket>()
  let isHeld = false
  let goal = to
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: goal, host: '127.0.0.1', noDelay: true })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      if (isHeld) caught.add(one.pause())
      else one.pipe(other)
      one.on('error', () => undefined)
      // A silent line does not tell that the other end has gone either.
      one.on('close', () => {
        sockets.delete(one)
        if (!caught.has(one)) other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  return {
    port: typeof at === 'object' && at ? at.port : 0,
    hold() {
      isHeld = true
      for (const socket of sockets) caught.add(socket.unpipe().pause())
    },
    goOn() {
      isHeld = false
      for (const socket of sockets) socket.destroy()
    },
    leadTo(port) {
      isHeld = false
      goal = port
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
