/** A connection that a balancer passes on: read until it is known who is behind it. */
import type { Socket } from 'node:net'
import { minuteMs } from '@ithings/contract/durations.ts'
import { readProxyHeader } from './proxy-header.ts'

export interface ProxyRules {
  /** May this address say who is behind it? */
  trusts(address: string): boolean
  /** A connection was refused, for the log: whose it is and why. */
  refused(address: string, why: string): void
}

/** A balancer that is set up wrongly fails with every device: told once a minute. */
export function onceAMinute(tell: ProxyRules['refused']): ProxyRules['refused'] {
  let toldAt = Number.NEGATIVE_INFINITY
  return (address, why) => {
    if (performance.now() - toldAt < minuteMs) return
    toldAt = performance.now()
    tell(address, why)
  }
}

/** Waits for headers; all that still wait are ended by `stop`. */
export function makeHeaderWait({ trusts, refused }: ProxyRules, limitMs: number, most: number) {
  const waiting = new Set<Socket>()

  const refuse = (socket: Socket, address: string, why: string) => {
    refused(address, why)
    socket.destroy()
  }

  return {
    /** @param go on with the rest of what was sent, from that address */
    await(socket: Socket, go: (address: string) => void): void {
      const peer = socket.remoteAddress ?? ''
      socket.on('error', () => {})
      if (!trusts(peer) || waiting.size >= most) {
        refuse(socket, peer, trusts(peer) ? 'too many wait for theirs' : 'TRUST_PROXY does not name it')
        return
      }
      let bytes = Buffer.alloc(0)
      const done = () => {
        clearTimeout(limit)
        waiting.delete(socket)
        socket.off('readable', look)
        socket.off('close', done)
      }
      const look = () => {
        for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) bytes = Buffer.concat([bytes, chunk])
        const header = readProxyHeader(bytes)
        if (header.state === 'part') return
        done()
        if (header.state === 'broken') return refuse(socket, peer, header.why)
        const rest = bytes.subarray(header.length)
        if (rest.length > 0) socket.unshift(rest)
        go(header.address ?? peer)
      }
      const limit = setTimeout(() => {
        done()
        refuse(socket, peer, 'it did not come in time')
      }, limitMs)
      waiting.add(socket)
      socket.on('close', done)
      socket.on('readable', look)
    },
    stop() {
      for (const socket of waiting) socket.destroy()
    },
  }
}
