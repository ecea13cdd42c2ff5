/**
 * A device that connects is told what waits for it, often before it has subscribed to hear it: what was sent since it
 * connected is sent again once it subscribes.
 */
import type { DeviceRef } from '#ports/event-bus.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { sendVersion } from './send-config.ts'

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

export function resendOnSubscribe(deps: RemoteConfigDeps): () => void {
  let gathered = new Map<number, Newcomer>()
  let timer: NodeJS.Timeout | undefined

  /** One device's trouble, as a script that fails, is not the others'. */
  const warn = (error: unknown, { productID, deviceName }: DeviceRef) =>
    deps.log.warn({ err: error, productID, deviceName }, 'a configuration could not be sent again')
  const resend = async (newcomers: Map<number, Newcomer>) => {
    // A version that was removed meanwhile is not among them: the next push or the device's question brings the newest.
    const got = await deps.db
      .selectFrom('device_config')
      .innerJoin('device', 'device.device_id', 'device_config.device_id')
      .innerJoin('remote_config', (join) =>
        join
          .onRef('remote_config.product_id', '=', 'device.product_id')
          .onRef('remote_config.id', '=', 'device_config.config_id'),
      )
      .selectAll('remote_config')
      .select(['device_config.device_id', 'device_config.delivered_at'])
      .where('device_config.device_id', 'in', [...newcomers.keys()])
      .execute()
    for (const { device_id, delivered_at, ...version } of got) {
      const newcomer = newcomers.get(device_id)
      if (!newcomer || delivered_at < newcomer.connectedAt || delivered_at > newcomer.subscribedAt) continue
      const { device } = newcomer
      if (!deps.broker.sessionOf(device.productID, device.deviceName)) continue
      await sendVersion(deps, device, version).catch((error) => warn(error, device))
    }
  }
  const flush = () => {
    const newcomers = gathered
    gathered = new Map()
    timer = undefined
    resend(newcomers).catch((error) => deps.log.warn({ err: error }, 'configurations could not be sent again'))
  }
  const end = deps.bus.on('device.subscribed', ({ device, topic, connectedAt }) => {
    if (!hearsPushes(topic) || gathered.size >= mostGathered) return
    gathered.set(device.deviceID, { device, connectedAt, subscribedAt: deps.clock.now() })
    timer ??= setTimeout(flush, gatherMs)
  })
  return () => {
    end()
    clearTimeout(timer)
  }
}
