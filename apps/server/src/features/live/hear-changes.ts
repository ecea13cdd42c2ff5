/** Which events of the platform are changes of which topic. */
import { alarmTopic } from '@ithings/contract/features/alarms/record.ts'
import { homeTopic } from '@ithings/contract/features/home.ts'
import { deviceTopic, type LiveChange } from '@ithings/contract/features/live.ts'
import { scenesTopic } from '@ithings/contract/features/scenes/log.ts'
import type { Common } from '#common-deps.ts'
import type { FarWatch } from './far-watch.ts'
import type { NoticeBoard } from './notice-board.ts'

// Tells all servers of a change of a shared topic, at most once each gap: a thousand alarms a second are two notices.
// What happens within the gap is told at its end, so that the last change is never lost.

interface PassOnParts {
  gapMs: number
  /** To every server, this one included. */
  send(topic: string): Promise<void>
  failed(error: unknown): void
}

interface PassOn {
  tell(topic: string): void
  stop(): void
}

export function makePassOn({ gapMs, send, failed }: PassOnParts): PassOn {
  /** Topics that were told within the gap; true: again since. */
  const resting = new Map<string, boolean>()
  const timers = new Set<NodeJS.Timeout>()

  const say = (topic: string) => {
    resting.set(topic, false)
    // The database may be away: the screens of this server were told, those of others ask again by themselves.
    send(topic).catch(failed)
    const timer = setTimeout(() => {
      timers.delete(timer)
      const again = resting.get(topic)
      resting.delete(topic)
      if (again) say(topic)
    }, gapMs)
    timer.unref()
    timers.add(timer)
  }

  return {
    tell: (topic) => void (resting.has(topic) ? resting.set(topic, true) : say(topic)),
    stop() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      resting.clear()
    },
  }
}

interface HearingParts extends Common<'signal' | 'bus' | 'log'> {
  board: NoticeBoard
  gapMs: number
  far: Pick<FarWatch, 'tell'>
}

/** What changes of a topic without a device: all servers are told, whichever one it happened on. */
const changeOf = (topic: string): LiveChange => (topic === scenesTopic ? 'log' : 'info')

/** Something of the large screen changes all the time; its calls are larger than others: told this many times less often. */
const homeGaps = 4

/** @returns a function that ends listening */
export function hearChanges({ bus, signal, board, log, gapMs, far }: HearingParts): () => void {
  const tell = ({ device }: { device: { productID: string; deviceName: string } }, change: LiveChange) => {
    const topic = deviceTopic(device)
    board.tell(topic, change)
    far.tell(topic, change)
  }
  let stopped = false
  signal.on('device.changed', ({ productID, deviceName }) => {
    if (stopped) return
    if (deviceName === '') board.tellAll(deviceTopic({ productID, deviceName: '' }), 'info')
    else board.tell(deviceTopic({ productID, deviceName }), 'info')
  })
  signal.on('product.changed', ({ productID }) => {
    if (!stopped) board.tellAll(deviceTopic({ productID, deviceName: '' }), 'info')
  })
  const passing = {
    send: (topic: string) => signal.send('live.changed', { topic, changes: [changeOf(topic)] }),
    failed: (error: unknown) => log.warn({ err: error }, 'other servers could not be told of a change'),
  }
  const passOn = makePassOn({ ...passing, gapMs })
  const passHome = makePassOn({ ...passing, gapMs: gapMs * homeGaps })
  const tellHome = () => passHome.tell(homeTopic)
  const ends = [
    bus.on('alarm.changed', () => passOn.tell(alarmTopic)),
    bus.on('alarm.changed', tellHome),
    bus.on('rollout.changed', tellHome),
    bus.on('device.presence', tellHome),
    bus.on('home.changed', tellHome),
    bus.on('rollout.changed', ({ topic }) => passOn.tell(topic)),
    bus.on('scene.ran', () => passOn.tell(scenesTopic)),
    bus.on('scene.marked', () => passOn.tell(scenesTopic)),
    bus.on('uplink.stored', (event) => {
      if (event.entry.values) tell(event, 'values')
      // Every stored message is a line of the hub log (decisions.md 5).
      tell(event, 'log')
    }),
    bus.on('device.described', (event) => tell(event, 'info')),
    bus.on('device.presence', (event) => tell(event, 'presence')),
    bus.on('device.logged', (event) => tell(event, 'log')),
    bus.on('command.done', (event) => tell(event, 'command')),
    bus.on('shadow.changed', (event) => tell(event, 'shadow')),
  ]
  return () => {
    stopped = true
    for (const end of ends) end()
    passOn.stop()
    passHome.stop()
  }
}
