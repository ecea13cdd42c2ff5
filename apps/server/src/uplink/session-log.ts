/** Coming, going, subscribing, being refused and being limited: lines in the hub log, and presence (issue: presence, limits). */
import { errors } from '@ithings/contract/errors.ts'
import { fill, kept, sayKept } from '@ithings/contract/text.ts'
import type { Logger } from 'pino'
import type { Presence, PresenceChange } from '#features/devices/door.ts'
import type { BrokerLimit, Caller, LoginRefusal, Session, SessionDevice } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import { JournalKind } from '#ports/journal.ts'
import type { HubLogWriter } from './hub-log-writer.ts'
import { makeLogThrottle } from './log-throttle.ts'

/** Each refusal and each limit of a device; 5,000 devices with old passwords make 2,000 lines at once and 20 a second. */
const lineLimits = { everyMs: 60_000, perSecond: 20, burst: 2_000 }
/** A device may ask for several topics at once. */
const mostSubscriptions = 20
/** Of callers that no device is known of: lines of the server's own log. */
const strangerLimits = { everyMs: 10_000, perSecond: 1, burst: 10 }
/** A stranger chooses it. */
const shownLength = 128

const limitTexts: Record<BrokerLimit, string> = {
  packetSize: '消息超过大小限制',
  connections: '连接数达到上限',
  connectRate: '连接过于频繁',
  inflight: '未确认的消息过多',
  messageRate: '消息过于频繁',
  storeTimeout: '消息未能及时保存，连接已断开',
}

export interface SessionLogDeps {
  lines: HubLogWriter
  bus: EventBus
  clock: Clock
  log: Pick<Logger, 'warn'>
  presence: Pick<Presence, 'online' | 'left'>
  /** The device that a client id names. */
  deviceOf(clientID: string): SessionDevice | undefined | Promise<SessionDevice | undefined>
}

const [againText, viaGatewayText] = [kept('服务器恢复'), kept('网关上报上线')]

const counted = (times: number) => (times > 1 ? { times } : {})

function passageOf({ online, reason, ip, clientID, session, again }: PresenceChange): Record<string, unknown> {
  if (!online) return { reason, ...session }
  if (again) return { reason: againText, ip, clientID }
  return { reason: reason || viaGatewayText, ip }
}

/** What has really changed: sub-devices, whoever was on a server that is gone, connections that have ended. */
export function writePassages(lines: HubLogWriter, changes: PresenceChange[]): void {
  for (const change of changes) {
    const kind = change.online ? JournalKind.connected : JournalKind.disconnected
    // What is said again began long ago, but is news behind the line that said the opposite.
    const when = change.again ? {} : { at: change.at }
    lines.write({ device: change.device, kind, ...when, content: passageOf(change) })
  }
}

export function makeSessionLog({ lines, bus, clock, log, presence, deviceOf }: SessionLogDeps) {
  const throttle = makeLogThrottle({ clock, ...lineLimits })
  const strangers = makeLogThrottle({ clock, ...strangerLimits })

  const warn = (reason: string, { ip, clientID }: Caller, cause: { code: number; msg: string }, text: string) => {
    const times = strangers.times('', reason)
    if (times === undefined) return
    log.warn(
      { ip, clientID: clientID.slice(0, shownLength), code: cause.code, why: sayKept(cause.msg, fill), times },
      text,
    )
  }

  /** When the database is away, which others say, it is a stranger. */
  const findCaller = (clientID: string) =>
    Promise.resolve(clientID)
      .then(deviceOf)
      .catch(() => undefined)

  /** Before its sign-in: the name is looked up only when a line may be written. */
  const limitedCaller = async (limit: BrokerLimit, caller: Caller, msg: string) => {
    const { code } = errors.rateLimited
    const { ip, clientID } = caller
    const times = clientID === '' ? undefined : throttle.times(clientID, limit)
    const device = times === undefined ? undefined : await findCaller(clientID)
    if (!device || times === undefined) warn(limit, caller, { code, msg }, 'a limit of the broker was reached')
    else
      lines.write({ device, kind: JournalKind.login, code, msg, content: { limit, ip, clientID, ...counted(times) } })
  }

  return {
    connected(session: Session): void {
      if (session.registering) return
      const { device, ip, clientID, expiresAt } = session
      presence.online(device, session)
      lines.write({ device, kind: JournalKind.connected, content: { ip, clientID, expiresAt } })
    },
    disconnected(session: Session, reason: string, takenOver: boolean): void {
      if (session.registering) return
      const { device, ip, connectedAt } = session
      const now = clock.now()
      const about = { ip, seconds: Math.round((now - connectedAt) / 1000) }
      // Presence writes it down, unless the device is connected to another server by now.
      if (!takenOver) presence.left(device, reason, now, about)
      else lines.write({ device, kind: JournalKind.disconnected, content: { reason, ...about } })
    },
    refused(caller: Caller, { code, msg, device }: LoginRefusal): void {
      const reason = `login ${code}`
      if (!device) {
        warn(reason, caller, { code, msg }, 'a sign-in was refused')
        return
      }
      const times = throttle.times(String(device.deviceID), reason)
      if (times === undefined) return
      const { ip, clientID } = caller
      lines.write({ device, kind: JournalKind.login, code, msg, content: { ip, clientID, ...counted(times) } })
    },
    subscribed(session: Session, topic: string, allowed: boolean): void {
      const { device, ip, connectedAt, registering } = session
      const line = { device, kind: JournalKind.subscribe, topic, content: { ip } }
      if (allowed) {
        lines.write(line)
        if (!registering) bus.emit('device.subscribed', { device, topic, connectedAt })
      } else if (throttle.times(String(device.deviceID), 'subscribe', mostSubscriptions) !== undefined) {
        lines.write({ ...line, code: errors.permission.code, msg: kept('不能订阅主题 {topic}', { topic }) })
      }
    },
    limited(limit: BrokerLimit, session: Session | undefined, detail: string, caller: Caller): void {
      const text = kept(limitTexts[limit])
      const msg = detail === '' ? text : kept('{limit}：{detail}', { limit: text, detail })
      if (!session) {
        void limitedCaller(limit, caller, msg)
        return
      }
      const { device, ip } = session
      const times = throttle.times(String(device.deviceID), limit)
      if (times === undefined) return
      const { code } = limit === 'storeTimeout' ? errors.database : errors.rateLimited
      lines.write({ device, kind: JournalKind.publish, code, msg, content: { limit, ip, ...counted(times) } })
    },
  }
}
