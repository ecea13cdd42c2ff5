/** Which events of the platform are changes of which topic. */
import { deviceTopic, type LiveChange } from '@ithings/contract/features/live.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'
import type { NoticeBoard } from './notice-board.ts'

/** @returns a function that ends listening */
export function hearChanges(bus: EventBus, signal: Signal, board: NoticeBoard): () => void {
  const tell = ({ device }: { device: { productID: string; deviceName: string } }, change: LiveChange) =>
    board.tell(deviceTopic(device), change)
  let stopped = false
  signal.on('device.changed', ({ productID, deviceName }) => {
    if (stopped) return
    if (deviceName === '') board.tellAll(deviceTopic({ productID, deviceName: '' }), 'info')
    else board.tell(deviceTopic({ productID, deviceName }), 'info')
  })
  signal.on('product.changed', ({ productID }) => {
    if (!stopped) board.tellAll(deviceTopic({ productID, deviceName: '' }), 'info')
  })
  const ends = [
    bus.on('uplink.stored', (event) => {
      if (event.entry.values) tell(event, 'values')
      // Every stored message is a line of the hub log (decisions.md 5).
      tell(event, 'log')
    }),
    bus.on('device.presence', (event) => tell(event, 'presence')),
    bus.on('device.logged', (event) => tell(event, 'log')),
    bus.on('command.done', (event) => tell(event, 'command')),
    bus.on('shadow.changed', (event) => tell(event, 'shadow')),
  ]
  return () => {
    stopped = true
    for (const end of ends) end()
  }
}
