/** The lines of the cell that can fall silent: all that lead to the last server, and the one between the databases. */
import { openSilentLine, type SilentLine } from '../../../apps/server/src/testing/silent-line.ts'
import type { Addresses } from './balancer.ts'

export const lineNames = ['database', 'nats', 'balancer', 'standby'] as const
export type LineName = (typeof lineNames)[number]

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
  const lines: Record<LineName, SilentLine[]> = { database: [], nats: [], balancer: [], standby: [] }
  const to = async (name: LineName, port: number) => {
    const line = await openSilentLine(port)
    lines[name].push(line)
    return line.port
  }
  return {
    hold(name) {
      for (const line of lines[name]) line.hold()
    },
    goOn(name) {
      for (const line of lines[name]) line.goOn()
    },
    to,
    async through(name, text) {
      let changed = text
      for (const [address, port] of text.matchAll(/127\.0\.0\.1:(\d+)/g))
        changed = changed.replace(address, `127.0.0.1:${await to(name, Number(port))}`)
      return changed
    },
    async close() {
      for (const line of Object.values(lines).flat()) await line.close()
    },
  }
}

/** What the balancer has to call instead. */
export const seenThrough = async (lines: Lines, { mqttPort, httpPort }: Addresses): Promise<Addresses> => ({
  mqttPort: await lines.to('balancer', mqttPort),
  httpPort: await lines.to('balancer', httpPort),
})
