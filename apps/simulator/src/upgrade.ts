/** A virtual device takes firmware: steps of progress, then its new version (device-protocol.md 8). */
import { buildTopic } from '@ithings/contract/device/topics.ts'
import type { Counts, SimulateOptions } from './options.ts'
import type { Cancel, Scheduler } from './scheduler.ts'
import { readMessage, type Thing } from './thing.ts'

export interface Upgrade {
  readonly topics: string[]
  heard(payload: Uint8Array): void
  reportVersion(): void
  stop(): void
  readonly version: string | undefined
}

const steps = [5, 20, 40, 60, 80, 100]
const usualStep = 1000

interface Offer {
  id?: unknown
  version?: unknown
  module?: unknown
}

export function makeUpgrade(
  thing: Thing,
  options: SimulateOptions,
  scheduler: Scheduler,
  counts: Counts,
  send: (topic: string, payload: string) => void,
): Upgrade {
  let version = options.version
  let module = 'default'
  let waiting: Cancel | undefined
  let target = ''

  const say = (type: string, method: string, params: Record<string, unknown>) =>
    send(
      buildTopic({ head: 'ota', way: 'up', type, ...thing.device }),
      JSON.stringify({ method, clientToken: thing.nextToken(), timestamp: thing.now(), params }),
    )

  const reportVersion = () => say('report', 'reportInfo', { version, module })

  function go(offer: Offer, left: number[]): void {
    const [step, ...rest] = left
    waiting = scheduler.after(options.upgradeStepMs ?? usualStep, () => {
      waiting = undefined
      const failsAt = options.faults?.upgradeFailsAt
      if (step === undefined) {
        version = target
        target = ''
        counts.upgrades++
        reportVersion()
      } else if (failsAt !== undefined && step >= failsAt) {
        target = ''
        say('progress', 'progress', { id: offer.id, step: -1, desc: '写入失败', module })
      } else {
        say('progress', 'progress', { id: offer.id, step, desc: step < 100 ? '下载中' : '安装完成', module })
        go(offer, rest)
      }
    })
  }

  return {
    topics: ['upgrade', 'progress'].map((type) => buildTopic({ head: 'ota', way: 'down', type, ...thing.device })),
    heard(payload) {
      const offer = readMessage(payload)?.data as Offer | undefined
      const offered = offer?.version
      // The platform offers again until the version is reported: one upgrade at a time.
      if (!offer || typeof offered !== 'string' || offered === version || offered === target) return
      waiting?.()
      target = offered
      if (typeof offer.module === 'string' && offer.module !== '') module = offer.module
      go(offer, steps)
    },
    reportVersion() {
      if (version !== undefined) reportVersion()
    },
    stop() {
      waiting?.()
      waiting = undefined
      target = ''
    },
    get version() {
      return version
    },
  }
}
