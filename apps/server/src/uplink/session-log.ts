/** Coming, going, subscribing and being limited: lines in the hub log, and presence (issue: presence, limits). */
import { errors } from '@ithings/contract/errors.ts'
import type { Logger } from 'pino'
import type { Presence } from '#features/devices/door.ts'
import type { BrokerLimit, Session } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import { type Journal, JournalKind } from '#ports/journal.ts'

/** A device that is held back a thousand times a second gets one line in this time; the counter counts all. */
const limitLineEveryMs = 10_000

const limitTexts: Record<BrokerLimit, string> = {
  packetSize: '消息超过大小限制',
  connections: '连接数达到上限',
  connectRate: '连接过于频繁',
  inflight: '未确认的消息过多',
  messageRate: '消息过于频繁',
  storeTimeout: '消息未能及时保存，连接已断开',
}

export interface SessionLogKit {
  journal: Journal
  bus: EventBus
  clock: Clock
  log: Logger
  presence: Presence
  logDaysOf(productID: string): number | Promise<number>
}

interface Line {
  kind: JournalKind
  topic?: string
  code?: number
  msg?: string
  content: Record<string, unknown>
}

export function makeSessionLog({ journal, bus, clock, log, presence, logDaysOf }: SessionLogKit) {
  const toldAt = new WeakMap<Session, number>()

  const write = async ({ device }: Session, { kind, topic = '', code = 200, msg = '', content }: Line) => {
    const { deviceID, productID, deviceName } = device
    if (deviceID === 0) return
    try {
      await journal.append({
        deviceID,
        productID,
        deviceName,
        logDays: await logDaysOf(productID),
        at: clock.now(),
        seq: journal.nextSeq(),
        kind,
        up: true,
        topic,
        method: '',
        token: '',
        code,
        msg,
        deviceTime: 0,
        content: JSON.stringify(content),
        dataID: '',
        latency: 0,
        values: undefined,
      })
      bus.emit('device.logged', { device, kind: 'hub' })
    } catch (error) {
      log.warn({ err: error, deviceName }, 'a line of the hub log could not be written')
    }
  }

  return {
    connected(session: Session): void {
      if (session.registering) return
      presence.online(session.device, session)
      void write(session, { kind: JournalKind.connected, content: { ip: session.ip, clientID: session.clientID } })
    },
    disconnected(session: Session, reason: string, takenOver: boolean): void {
      if (session.registering) return
      const now = clock.now()
      if (!takenOver) presence.offline(session.device, reason, now)
      const content = { reason, ip: session.ip, seconds: Math.round((now - session.connectedAt) / 1000) }
      void write(session, { kind: JournalKind.disconnected, content })
    },
    subscribed(session: Session, topic: string, allowed: boolean): void {
      const refused = { code: errors.permission.code, msg: `不能订阅主题 ${topic}` }
      const line = { kind: JournalKind.subscribe, topic, content: { ip: session.ip } }
      void write(session, allowed ? line : { ...line, ...refused })
      const { device, connectedAt, registering } = session
      if (allowed && !registering) bus.emit('device.subscribed', { device, topic, connectedAt })
    },
    limited(limit: BrokerLimit, session: Session | undefined, detail: string): void {
      if (!session) return
      const now = clock.now()
      if (now - (toldAt.get(session) ?? 0) < limitLineEveryMs) return
      toldAt.set(session, now)
      const { code } = limit === 'storeTimeout' ? errors.database : errors.rateLimited
      void write(session, {
        kind: JournalKind.publish,
        code,
        msg: `${limitTexts[limit]}${detail === '' ? '' : `：${detail}`}`,
        content: { limit, ip: session.ip },
      })
    },
  }
}
