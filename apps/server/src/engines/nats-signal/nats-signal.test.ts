import { connect } from '@nats-io/transport-node'
import { describe, expect, test, vi } from 'vitest'
import type { SignalPatience } from '#engines/signal-line/line.ts'
import type { Signal } from '#ports/signal.ts'
import { eventually } from '#testing/eventually.ts'
import { type NatsServer, startNats, startNatsCluster, withoutNats } from '#testing/nats-server.ts'
import { signalContract } from '#testing/signal-contract.ts'
import { makeNatsSignal } from './nats-signal.ts'

const hostOf = ({ url }: NatsServer): string => new URL(url).host

const makeFor = (servers: NatsServer[], patience?: SignalPatience, installation = 'one') =>
  makeNatsSignal({
    address: { servers: servers.map(hostOf) },
    installation,
    failed: () => {},
    ...(patience && { patience }),
  })

function makeClosers() {
  const closers: Array<() => Promise<void>> = []
  return {
    add: (close: () => Promise<void>) => void closers.unshift(close),
    async closeAll() {
      for (const close of closers) await close()
    },
  }
}

describe.skipIf(withoutNats)('one NATS', () => {
  signalContract(async () => {
    const closers = makeClosers()
    const nats = await startNats(closers.add)
    return {
      make: (patience) => makeFor([nats], patience),
      async cut() {
        await nats.kill()
        await nats.startAgain()
      },
      makeHanging: async (patience) => ({
        signal: makeFor([nats], patience),
        hang: nats.hang,
        endHanging: nats.goOn,
      }),
      close: closers.closeAll,
    }
  })
})

describe.skipIf(withoutNats)('beyond the contract', () => {
  const open = async (work: (closers: ReturnType<typeof makeClosers>) => Promise<void>) => {
    const closers = makeClosers()
    try {
      await work(closers)
    } finally {
      await closers.closeAll()
    }
  }
  const started = async (closers: ReturnType<typeof makeClosers>, signal: Signal) => {
    await signal.start()
    closers.add(() => signal.stop())
    return signal
  }

  test('of a cluster of three one may be killed: notices go on between the servers', () =>
    open(async (closers) => {
      const [first, second, third] = await startNatsCluster(3, closers.add)
      if (!first || !second || !third) throw new Error('three were asked for')
      const address = { servers: [hostOf(first)] }
      const here = await started(closers, makeNatsSignal({ address, installation: 'one', failed: () => {} }))
      const there = await started(closers, makeFor([third]))
      // It is connected to the first; from now on it may go to the second.
      address.servers.push(hostOf(second))
      const heard: string[] = []
      there.on('access.role', ({ roleID }) => heard.push(`role ${roleID}`))
      here.hear('downlink.relayed', 'here', () => heard.push('relayed'))
      /** Servers of a cluster tell each other who wants what, which takes a moment. */
      const arrives = (what: string, send: () => Promise<void>) =>
        eventually(async () => {
          await send()
          expect(heard).toContain(what)
        })
      await arrives('role 1', () => here.send('access.role', { roleID: 1 }))
      await arrives('relayed', () => there.send('downlink.relayed', { serverID: 'here' }))
      const gaps: boolean[] = []
      here.onGap(() => gaps.push(here.connected))
      await first.kill()
      await eventually(() => expect(gaps).toEqual([false, true]))
      heard.length = 0
      await arrives('role 2', () => here.send('access.role', { roleID: 2 }))
      await arrives('relayed', () => there.send('downlink.relayed', { serverID: 'here' }))
    }))

  test('one of a cluster of three that was killed and comes back carries notices to and from all again', () =>
    open(async (closers) => {
      const cluster = await startNatsCluster(3, closers.add)
      const [lost] = cluster
      if (!lost) throw new Error('three were asked for')
      // Each speaks to one of the three and knows no other: what it says to the rest passes between the three.
      const signals = await Promise.all(cluster.map((nats) => started(closers, makeFor([nats]))))
      const heard = signals.map(() => new Set<number>())
      signals.forEach((signal, i) => {
        signal.on('access.role', ({ roleID }) => heard[i]?.add(roleID))
      })
      /** Sender i says 10 * round + i, again and again until all three have heard it. */
      const allHearAll = (round: number) =>
        eventually(async () => {
          for (const [i, signal] of signals.entries()) await signal.send('access.role', { roleID: 10 * round + i })
          for (const one of heard) expect([0, 1, 2].filter((i) => one.has(10 * round + i))).toEqual([0, 1, 2])
        })
      await allHearAll(1)
      await lost.kill()
      await eventually(() => expect(signals.map(({ connected }) => connected)).toEqual([false, true, true]))
      await lost.startAgain()
      await eventually(() => expect(signals.map(({ connected }) => connected)).toEqual([true, true, true]))
      await allHearAll(2)
    }))

  test('installations that share a NATS do not hear each other', () =>
    open(async (closers) => {
      const nats = await startNats(closers.add)
      const ours = await started(closers, makeFor([nats]))
      const alsoOurs = await started(closers, makeFor([nats]))
      const theirs = await started(closers, makeFor([nats], undefined, 'other'))
      const heard: string[] = []
      theirs.on('access.user', () => heard.push('theirs'))
      alsoOurs.on('access.user', () => heard.push('ours'))
      await ours.send('access.user', { userID: 1 })
      await eventually(() => expect(heard).toEqual(['ours']))
      await theirs.send('access.user', { userID: 2 })
      expect(heard).toEqual(['ours', 'theirs'])
    }))

  test('a server that hangs keeps nobody who has something to say, and the others learn that they missed it', () =>
    open(async (closers) => {
      const nats = await startNats(closers.add)
      const patience = { everyMs: 50, silentMs: 2_000 }
      const here = await started(closers, makeFor([nats], patience))
      const there = await started(closers, makeFor([nats], patience))
      const learnt = vi.fn()
      nats.hang()
      await here.send('access.user', { userID: 1 })
      await eventually(() => expect([here.connected, there.connected]).toEqual([false, false]))
      there.onGap(learnt)
      await here.send('access.user', { userID: 2 })
      nats.goOn()
      await eventually(() => expect([here.connected, there.connected]).toEqual([true, true]))
      await eventually(() => expect(learnt).toHaveBeenCalled())
    }))

  test('whatever strangers write on the subject does no harm', () =>
    open(async (closers) => {
      const nats = await startNats(closers.add)
      const here = await started(closers, makeFor([nats]))
      const there = await started(closers, makeFor([nats]))
      const heard: number[] = []
      there.on('access.user', ({ userID }) => heard.push(userID))
      const stranger = await connect({ servers: nats.url })
      closers.add(() => stranger.close())
      for (const text of ['', 'null', '[]', '{"from":1}', '{"from":"x","name":"no.such","notice":{}}', '\u0000{'])
        stranger.publish('ithings.one.all', text)
      await stranger.flush()
      await here.send('access.user', { userID: 1 })
      await eventually(() => expect(heard).toEqual([1]))
      expect(there.connected).toBe(true)
    }))
})
