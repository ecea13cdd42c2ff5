/** Some devices are connected to the broker inside, others to one that others run: which of the two a message goes to. */
import { parseTopic } from '@ithings/contract/device/topics.ts'
import type { Broker } from '#ports/broker.ts'
import type { Upstream } from '#ports/upstream.ts'
import type { DeviceName } from './relay.ts'

export interface TwoBrokersDeps {
  inside: Pick<Broker, 'publish' | 'sessionOf'>
  upstream: Upstream
  /** Whom this server hears by way of it. */
  there: Pick<Broker, 'sessionOf'>
  /** Whom a sub-device speaks through. */
  gatewayOf(device: DeviceName): DeviceName | undefined | Promise<DeviceName | undefined>
}

export function makeTwoBrokers(deps: TwoBrokersDeps): Pick<Broker, 'publish' | 'sessionOf'> {
  const { inside, upstream, there, gatewayOf } = deps
  const isInside = ({ productID, deviceName }: DeviceName) => inside.sessionOf(productID, deviceName) !== undefined
  const isThere = ({ productID, deviceName }: DeviceName) => there.sessionOf(productID, deviceName) !== undefined

  const goesUp = async (device: DeviceName): Promise<boolean> => {
    if (isInside(device)) return false
    if (isThere(device)) return true
    const gateway = await gatewayOf(device)
    return gateway !== undefined && !isInside(gateway) && isThere(gateway)
  }

  return {
    sessionOf: (productID, deviceName) =>
      inside.sessionOf(productID, deviceName) ?? there.sessionOf(productID, deviceName),
    async publish(topic, payload) {
      const to = parseTopic(topic)
      // Whoever registers has no session by which one could tell where it is; nobody else may hear it (device-protocol.md 3).
      if (to?.head === 'ext' && to.type === 'register') {
        await Promise.all([inside.publish(topic, payload), upstream.publish(topic, payload)])
        return
      }
      await (to && (await goesUp(to)) ? upstream : inside).publish(topic, payload)
    },
  }
}
