/** The lines of the cell that can fall silent: all that lead to the last server, and the one between the databases. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Addresses } from './balancer.ts'
import type { Opened, Wish } from './lines-thread.ts'

export type LineName = 'database' | 'nats' | 'balancer' | 'standby'

export interface Lines {
  hold(name: LineName): void
  goOn(name: LineName): void
  /** @returns the port at which the same is reached by a line of this name */
  to(name: LineName, port: number): Promise<number>
  /** The same text, with all addresses of this machine led through lines of this name. */
  through(name: LineName, text: string): Promise<string>
  close(): Promise<void>
}

export function openLines(): Lines {
  const thread = new Worker(new URL('./lines-thread.ts', import.meta.url))
  const ask = (wish: Wish) => thread.postMessage(wish)
  // One after the other: the answers come in the order of the questions.
  let last: Promise<unknown> = Promise.resolve()
  const to = (name: LineName, port: number) => {
    const opened = last.then(async () => {
      ask({ name, act: { openTo: port } })
      const [answer] = (await once(thread, 'message')) as [Opened]
      return answer.port
    })
    last = opened.catch(() => undefined)
    return opened
  }
  return {
    hold: (name) => ask({ name, act: 'hold' }),
    goOn: (name) => ask({ name, act: 'goOn' }),
    to,
    async through(name, text) {
      let changed = text
      for (const [address, port] of text.matchAll(/127\.0\.0\.1:(\d+)/g))
        changed = changed.replace(address, `127.0.0.1:${await to(name, Number(port))}`)
      return changed
    },
    close: async () => void (await thread.terminate()),
  }
}

/** What the balancer has to call instead. */
export const seenThrough = async (lines: Lines, { mqttPort, httpPort }: Addresses): Promise<Addresses> => ({
  mqttPort: await lines.to('balancer', mqttPort),
  httpPort: await lines.to('balancer', httpPort),
})
