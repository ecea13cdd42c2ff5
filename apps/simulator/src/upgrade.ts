/** A virtual device takes firmware: download, steps of progress, then its new version (device-protocol.md 8). */
import { buildTopic, type DeviceTopic } from '@ithings/contract/device/topics.ts'
import { DownloadFault, download } from './download.ts'
import type { Counts, SimulateOptions } from './options.ts'
import type { Scheduler } from './scheduler.ts'
import { readMessage, type Thing } from './thing.ts'
import { ownModule, readOffer, type UpgradeOffer } from './upgrade-offer.ts'

export interface UpgradeParts {
  thing: Thing
  options: SimulateOptions
  scheduler: Scheduler
  counts: Counts
  send(topic: string, payload: string): void
  /** Signs off for so long, then begins anew; undefined: what has no connection of its own cannot. */
  away?: (afterMs: number, forMs: number) => void
}

export interface Upgrade {
  readonly topics: string[]
  heard(topic: DeviceTopic, payload: Uint8Array): void
  reportVersions(): void
  stop(): void
  /** Of the main module. */
  readonly version: string | undefined
  readonly versions: Readonly<Record<string, string>>
}

const downloadSteps = [5, 20, 40, 60]
const installSteps = [80, 100]
const usualStep = 1000
const forGood = Number.POSITIVE_INFINITY

export function makeUpgrade({ thing, options, scheduler, counts, send, away }: UpgradeParts): Upgrade {
  const { stepMs = usualStep, restartMs = 0, leaveAfterMs, awayMs = forGood } = options.upgrade ?? {}
  const versions = new Map(Object.entries(options.modules ?? {}))
  if (options.version !== undefined) versions.set('default', options.version)
  const random = thing.random.fork('upgrade')
  /** By module: the platform offers again until the version is reported, so one upgrade at a time. */
  const running = new Map<string, { target: string; abort: AbortController }>()
  /** The new version is told first, then it may leave, and come back with the one before. */
  let leaves = false
  let left = false
  let before: [module: string, version: string] | undefined

  const say = (type: string, method: string, params: Record<string, unknown>) =>
    send(
      buildTopic({ head: 'ota', way: 'up', type, ...thing.device }),
      JSON.stringify({ method, clientToken: thing.nextToken(), timestamp: thing.now(), params }),
    )
  const reportVersion = (module: string) => say('report', 'reportInfo', { version: versions.get(module), module })

  function reportVersions(modules: Iterable<string> = versions.keys()): void {
    for (const module of modules) reportVersion(module)
    if (!leaves || !away || leaveAfterMs === undefined) return
    leaves = false
    left = true
    away(leaveAfterMs, awayMs)
  }

  const pause = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const cancel = scheduler.after(stepMs, resolve)
      signal.addEventListener('abort', () => {
        cancel()
        reject(signal.reason)
      })
    })

  /** Drawn once an attempt, so that a share is a share of devices and not of steps. */
  function failingStep(version: string): number {
    const { failShare = 0, failShareOf = {} } = options.upgrade ?? {}
    const fallen = random.chance(failShareOf[version] ?? failShare)
    return options.faults?.upgradeFailsAt ?? (fallen ? 60 : forGood)
  }

  async function install(offer: UpgradeOffer, module: string, signal: AbortSignal): Promise<void> {
    const failsAt = failingStep(offer.version)
    const tell = async (step: number) => {
      await pause(signal)
      if (step >= failsAt) throw new DownloadFault(-1, '写入失败')
      const desc = step < 100 ? (step > 60 ? '安装中' : '下载中') : '安装完成'
      say('progress', 'progress', { id: offer.id, step, desc, module })
    }
    const files = options.upgrade?.download ? offer.files : []
    const whole = files.reduce((sum, { size }) => sum + size, 0)
    const left = [...downloadSteps]
    await tell(left.shift() as number)
    let fetched = 0
    for (const file of files) {
      await download(file, offer.signMethod, signal, async (bytes) => {
        fetched += bytes
        counts.downloaded += bytes
        while (left[0] !== undefined && fetched / whole >= left[0] / 60) await tell(left.shift() as number)
      })
    }
    for (const step of [...left, ...installSteps]) await tell(step)
    await pause(signal)
  }

  async function take(offer: UpgradeOffer, module: string): Promise<void> {
    running.get(module)?.abort.abort()
    const one = { target: offer.version, abort: new AbortController() }
    running.set(module, one)
    try {
      await install(offer, module, one.abort.signal)
      const had = versions.get(module)
      before = had === undefined || !options.upgrade?.rollBack ? undefined : [module, had]
      versions.set(module, offer.version)
      counts.upgrades++
      leaves = true
      running.delete(module)
      if (restartMs > 0 && away) away(0, restartMs)
      else reportVersions([module])
    } catch (cause) {
      if (one.abort.signal.aborted) return
      running.delete(module)
      const { step, message } = cause instanceof DownloadFault ? cause : new DownloadFault(-1, '升级失败')
      say('progress', 'progress', { id: offer.id, step, desc: message, module })
    }
  }

  function hearOffer(offer: UpgradeOffer): void {
    const module = ownModule(offer.module, versions.keys())
    if (offer.version === running.get(module)?.target) return
    // It came this far already, and the platform has not heard.
    if (offer.version === versions.get(module)) reportVersion(module)
    else void take(offer, module)
  }

  return {
    topics: ['upgrade', 'progress', 'report'].map((type) =>
      buildTopic({ head: 'ota', way: 'down', type, ...thing.device }),
    ),
    heard({ type }, payload) {
      const message = readMessage(payload)
      // A task that asks the devices for their versions first.
      if (type === 'report' && message?.method === 'getReport') reportVersions()
      if (type === 'progress' && message?.code !== undefined) {
        message.code === 200 ? counts.accepted++ : counts.refused++
      }
      const offer = type === 'upgrade' ? readOffer(message?.data, options.upgrade?.http) : undefined
      if (offer) hearOffer(offer)
    },
    reportVersions: () => reportVersions(),
    stop() {
      for (const { abort } of running.values()) abort.abort()
      running.clear()
      if (!left) return
      left = false
      if (before) versions.set(...before)
      before = undefined
    },
    get version() {
      return versions.get(ownModule('', versions.keys()))
    },
    get versions() {
      return Object.fromEntries(versions)
    },
  }
}
