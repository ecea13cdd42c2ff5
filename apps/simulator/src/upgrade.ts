/** A virtual device takes firmware: download, steps of progress, then its new version (device-protocol.md 8). */
import { buildTopic, type DeviceTopic } from '@ithings/contract/device/topics.ts'
import { type DeviceWords, deviceWords } from './device-words.ts'
import { DownloadFault, download } from './download.ts'
import type { Counts, SimulateOptions } from './options.ts'
import type { Random } from './random.ts'
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

const downloadSteps = [5, 20, 40, 60]
const installSteps = [80, 100]
const usualStep = 1000
const forGood = Number.POSITIVE_INFINITY

export class Upgrade {
  readonly topics: string[]
  readonly #parts: UpgradeParts
  readonly #random: Random
  readonly #words: DeviceWords
  readonly #versions: Map<string, string>
  /** By module: the platform offers again until the version is reported, so one upgrade at a time. */
  readonly #running = new Map<string, { target: string; abort: AbortController }>()
  /** The new version is told first, then it may leave, and come back with the one before. */
  #leaves = false
  #left = false
  #before: [module: string, version: string] | undefined

  constructor(parts: UpgradeParts) {
    const { thing, options } = parts
    this.#parts = parts
    this.#words = deviceWords(options.language)
    this.#random = thing.random.fork('upgrade')
    this.#versions = new Map(Object.entries(options.modules ?? {}))
    if (options.version !== undefined) this.#versions.set('default', options.version)
    this.topics = ['upgrade', 'progress', 'report'].map((type) =>
      buildTopic({ head: 'ota', way: 'down', type, ...thing.device }),
    )
  }

  /** Of the main module. */
  get version(): string | undefined {
    return this.#versions.get(ownModule('', this.#versions.keys()))
  }

  get versions(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#versions)
  }

  heard({ type }: DeviceTopic, payload: Uint8Array): void {
    const { counts, options } = this.#parts
    const message = readMessage(payload)
    // A task that asks the devices for their versions first.
    if (type === 'report' && message?.method === 'getReport') this.reportVersions()
    if (type === 'progress' && message?.code !== undefined) {
      message.code === 200 ? counts.accepted++ : counts.refused++
    }
    const offer = type === 'upgrade' ? readOffer(message?.data, options.upgrade?.http) : undefined
    if (offer) this.#hearOffer(offer)
  }

  reportVersions(modules: Iterable<string> = this.#versions.keys()): void {
    const { away, options } = this.#parts
    const { leaveAfterMs, awayMs = forGood } = options.upgrade ?? {}
    for (const module of modules) this.#reportVersion(module)
    if (!this.#leaves || !away || leaveAfterMs === undefined) return
    this.#leaves = false
    this.#left = true
    away(leaveAfterMs, awayMs)
  }

  stop(): void {
    for (const { abort } of this.#running.values()) abort.abort()
    this.#running.clear()
    if (!this.#left) return
    this.#left = false
    if (this.#before) this.#versions.set(...this.#before)
    this.#before = undefined
  }

  #say(type: string, method: string, params: Record<string, unknown>): void {
    const { thing, send } = this.#parts
    send(
      buildTopic({ head: 'ota', way: 'up', type, ...thing.device }),
      JSON.stringify({ method, clientToken: thing.nextToken(), timestamp: thing.now(), params }),
    )
  }

  #reportVersion(module: string): void {
    this.#say('report', 'reportInfo', { version: this.#versions.get(module), module })
  }

  #hearOffer(offer: UpgradeOffer): void {
    const module = ownModule(offer.module, this.#versions.keys())
    if (offer.version === this.#running.get(module)?.target) return
    // It came this far already, and the platform has not heard.
    if (offer.version === this.#versions.get(module)) this.#reportVersion(module)
    else void this.#take(offer, module)
  }

  async #take(offer: UpgradeOffer, module: string): Promise<void> {
    this.#running.get(module)?.abort.abort()
    const one = { target: offer.version, abort: new AbortController() }
    this.#running.set(module, one)
    try {
      await this.#install(offer, module, one.abort.signal)
      this.#installed(offer.version, module)
    } catch (cause) {
      if (one.abort.signal.aborted) return
      this.#running.delete(module)
      const { step, message } = cause instanceof DownloadFault ? cause : new DownloadFault(-1, this.#words.failed)
      this.#say('progress', 'progress', { id: offer.id, step, desc: message, module })
    }
  }

  #installed(version: string, module: string): void {
    const { away, options, counts } = this.#parts
    const { restartMs = 0, rollBack } = options.upgrade ?? {}
    const had = this.#versions.get(module)
    this.#before = had === undefined || !rollBack ? undefined : [module, had]
    this.#versions.set(module, version)
    counts.upgrades++
    this.#leaves = true
    this.#running.delete(module)
    if (restartMs > 0 && away) away(0, restartMs)
    else this.reportVersions([module])
  }

  async #install(offer: UpgradeOffer, module: string, signal: AbortSignal): Promise<void> {
    const { options, counts } = this.#parts
    const failsAt = this.#failingStep(offer.version)
    const tell = async (step: number) => {
      await this.#pause(signal)
      if (step >= failsAt) throw new DownloadFault(-1, this.#words.broken)
      const { downloading, installing, done } = this.#words
      const desc = step < 100 ? (step > 60 ? installing : downloading) : done
      this.#say('progress', 'progress', { id: offer.id, step, desc, module })
    }
    const files = options.upgrade?.download ? offer.files : []
    const whole = files.reduce((sum, { size }) => sum + size, 0)
    const left = [...downloadSteps]
    await tell(left.shift() as number)
    let fetched = 0
    for (const file of files) {
      await download({ file, signMethod: offer.signMethod, signal, words: this.#words }, async (bytes) => {
        fetched += bytes
        counts.downloaded += bytes
        while (left[0] !== undefined && fetched / whole >= left[0] / 60) await tell(left.shift() as number)
      })
    }
    for (const step of [...left, ...installSteps]) await tell(step)
    await this.#pause(signal)
  }

  /** Drawn once an attempt, so that a share is a share of devices and not of steps. */
  #failingStep(version: string): number {
    const { upgrade, faults } = this.#parts.options
    const { failShare = 0, failShareOf = {} } = upgrade ?? {}
    const fallen = this.#random.chance(failShareOf[version] ?? failShare)
    return faults?.upgradeFailsAt ?? (fallen ? 60 : forGood)
  }

  #pause(signal: AbortSignal): Promise<void> {
    const { options, scheduler } = this.#parts
    return new Promise((resolve, reject) => {
      const cancel = scheduler.after(options.upgrade?.stepMs ?? usualStep, resolve)
      signal.addEventListener('abort', () => {
        cancel()
        reject(signal.reason)
      })
    })
  }
}
