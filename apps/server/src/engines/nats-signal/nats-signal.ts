/** The signal port over NATS core: one subject for all servers, one for each server and each topic that is followed. */
import { connect, credsAuthenticator, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { type LineEnds, type OpenLine, type SignalPatience, usualPatience } from '#engines/signal-line/line.ts'
import { makeSignal, missed } from '#engines/signal-line/make-signal.ts'
import type { Signal } from '#ports/signal.ts'
import { within } from '#ports/within.ts'

export interface NatsAddress {
  /** `host:port`, of one cluster. */
  servers: string[]
  user?: string
  password?: string
  token?: string
  /** What a .creds file holds. */
  credentials?: Uint8Array
  /** Refuse to speak without it; unset: as the server says. */
  tls?: boolean
}

export interface NatsSignalOptions {
  address: NatsAddress
  /** The servers on one database, and they alone, have the same: several installations may share a NATS. */
  installation: string
  failed(error: Error): void
  patience?: SignalPatience
}

/** A caller waits no longer until NATS has said that it has the notice; it arrives, or is made up for (`missed`). */
const tellMs = 1_000

/** Dots, stars and the like mean something in a subject. */
const wordOf = (address: string): string =>
  address.replace(/[^\w-]/g, (sign) => `=${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

interface NatsLine extends OpenLine {
  /** Resolves when the server has it. */
  publish(subject: string, text: string): Promise<void>
}

interface Subjects {
  all: string
  of(address: string): string
}

const subjectsOf = (installation: string): Subjects => {
  const first = `ithings.${wordOf(installation)}`
  return { all: `${first}.all`, of: (address) => `${first}.to.${wordOf(address)}` }
}

const dial = ({ servers, user, password, token, credentials, tls }: NatsAddress, timeout: number) =>
  connect({
    servers,
    name: 'ithings-core signal',
    timeout,
    // The line opens itself again, on whichever server answers, and tells of the gap.
    reconnect: false,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(token !== undefined && { token }),
    ...(credentials && { authenticator: credsAuthenticator(credentials) }),
    ...(tls && { tls: {} }),
  })

function lineOf(nats: NatsConnection, subjects: Subjects, { hear, ended }: LineEnds): NatsLine {
  const followed = new Map<string, Subscription>()
  /** Those who wait for the server's word; it says nothing any more once the connection has ended. */
  const waiting = new Set<(error: Error) => void>()
  void nats.closed().then((cause) => {
    const error = cause instanceof Error ? cause : new Error('signal connection ended')
    for (const fail of waiting) fail(error)
    ended(error)
  })
  const subscribe = (subject: string) => {
    const callback = (error: Error | null, message: Msg) => (error ? ended(error) : hear(message.string()))
    return nats.subscribe(subject, { callback })
  }
  const publish = async (subject: string, text: string) => {
    nats.publish(subject, text)
    const taken = Promise.withResolvers<void>()
    waiting.add(taken.reject)
    nats.flush().then(taken.resolve, taken.reject)
    await taken.promise.finally(() => waiting.delete(taken.reject))
  }
  subscribe(subjects.all)
  return {
    publish,
    beat: (text) => publish(subjects.all, text),
    follow(address) {
      if (!nats.isClosed() && !followed.has(address)) followed.set(address, subscribe(subjects.of(address)))
    },
    leave(address) {
      if (!nats.isClosed()) followed.get(address)?.unsubscribe()
      followed.delete(address)
    },
    close: () => nats.close(),
  }
}

export function makeNatsSignal({ address, installation, failed, patience = usualPatience }: NatsSignalOptions): Signal {
  const subjects = subjectsOf(installation)
  /** The others were not told of something: they have to hear that, as soon as there is a line. */
  let owes = false
  const publish = async (line: NatsLine | undefined, subject: string, text: string) => {
    try {
      if (!line) throw new Error('no line')
      await line.publish(subject, text)
    } catch {
      owes = true
    }
  }
  return makeSignal<NatsLine>({
    async open(ends, limitMs) {
      const line = lineOf(await dial(address, limitMs), subjects, ends)
      if (owes) {
        owes = false
        void publish(line, subjects.all, missed)
      }
      return line
    },
    async send(text, to, line) {
      const told = publish(line, to === undefined ? subjects.all : subjects.of(to), text)
      await within(tellMs, told, () => undefined)
    },
    patience,
    failed,
  })
}
