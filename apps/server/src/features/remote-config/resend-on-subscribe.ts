/**
 * A device that connects is told what waits for it, often before it has subscribed to hear it: what was sent since it
 * connected is sent again once it subscribes.
 */
import type { DeviceRef } from '#ports/event-bus.ts'
import type { RemoteConfigKit } from './remote-config-kit.ts'
import { publishVersion } from './send-config.ts'
import { requireVersion } from './store.ts'

/** Thousands that reconnect at once are looked up together, after what is being sent to them was noted. */
const gatherMs = 500
const mostGathered = 5_000

interface Newcomer {
  device: DeviceRef
  connectedAt: number
  subscribedAt: number
}

/** Does this subscription hear `$config/down/push`? */
export function hearsPushes(topic: string): boolean {
  const [head, way, type] = topic.split('/')
  if (head !== '$config') return false
  return way === '#' || ((way === 'down' || way === '+') && (type === 'push' || type === '+' || type === '#'))
}

export function resendOnSubscribe(kit: RemoteConfigKit): () => void {
  let gathered = new Map<number, Newcomer>()
  let timer: NodeJS.Timeout | undefined

  const resend = async (newcomers: Map<number, Newcomer>) => {
    const rows = await kit.db
      .selectFrom('device_config')
      .selectAll()
      .where('device_id', 'in', [...newcomers.keys()])
      .execute()
    for (const row of rows) {
      const newcomer = newcomers.get(row.device_id)
      if (!newcomer || row.delivered_at < newcomer.connectedAt || row.delivered_at > newcomer.subscribedAt) continue
      const version = await requireVersion(kit.db, newcomer.device.productID, row.config_id)
      await publishVersion(kit, newcomer.device, version)
    }
  }
  const flush = () => {
    const newcomers = gathered
    gathered = new Map()
    timer = undefined
    resend(newcomers).catch((error) => kit.log.warn({ err: error }, 'configurations could not be sent again'))
  }
  const end = kit.bus.on('device.subscribed', ({ device, topic, connectedAt }) => {
    if (!hearsPushes(topic) || gathered.size >= mostGathered) return
    gathered.set(device.deviceID, { device, connectedAt, subscribedAt: kit.clock.now() })
    timer ??= setTimeout(flush, gatherMs)
  })
  return () => {
    end()
    clearTimeout(timer)
  }
}
