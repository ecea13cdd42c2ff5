/** One virtual thing, whoever carries its messages: its own connection or its gateway's. */
import { type DeviceMessage, Dialect, deviceMessage, methodOf, spellMethod } from '@ithings/contract/device/messages.ts'
import { buildTopic, type DeviceTopic } from '@ithings/contract/device/topics.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { defaultValue } from '@ithings/contract/thing-model/values.ts'
import { answerCommand, isCommand } from './answer-command.ts'
import { type CompiledModel, compileModel } from './compiled-model.ts'
import type { Counts, DeviceName, SimulateOptions } from './options.ts'
import { makeRandom, type Random } from './random.ts'
import type { Cancel, Scheduler } from './scheduler.ts'
import { spoilReport } from './spoil-report.ts'
import { makeThingValues, type ThingValues } from './thing-values.ts'

export interface ThingParts {
  device: DeviceName
  model: ThingModel
  options: SimulateOptions
  scheduler: Scheduler
  counts: Counts
  send(topic: string, payload: string): void
}

const usualInterval = 10_000
const usualEventPace = 300_000
const usualReplyDelay = 15_000
const decoder = new TextDecoder()

/** undefined: no message of the platform. */
export function readMessage(payload: Uint8Array): DeviceMessage | undefined {
  try {
    return deviceMessage.safeParse(JSON.parse(decoder.decode(payload))).data
  } catch {
    return undefined
  }
}

const isShadowed = ({ isUseShadow, mode }: ThingModel['properties'][number]): boolean =>
  isUseShadow && mode === PropertyMode.readWrite

export class Thing {
  readonly device: DeviceName
  readonly random: Random
  /** Where the platform speaks to it. */
  readonly topics: string[]
  readonly #parts: ThingParts
  readonly #compiled: CompiledModel
  readonly #values: ThingValues
  readonly #dialect: Dialect
  readonly #timers = new Set<Cancel>()
  /** Tokens of two runs must differ, whatever the seed. */
  readonly #run = Date.now().toString(36)
  #tokens = 0

  constructor(parts: ThingParts) {
    const { device, model, options } = parts
    this.#parts = parts
    this.device = device
    this.random = makeRandom(options.seed ?? `${device.productID}/${device.deviceName}`)
    this.#compiled = compileModel(model)
    this.#values = makeThingValues(this.#compiled, this.random, options.curves)
    this.#dialect = options.dialect ?? Dialect.snake
    this.topics = ['property', 'event', 'action'].map((type) => this.#topic('down', type))
  }

  /** Begins to report; what it was told to keep is kept over stops. */
  start(): void {
    const { model, options } = this.#parts
    const { intervalMs = usualInterval, eventEveryMs = usualEventPace } = options
    const { random } = this
    this.#askStatus()
    // Thousands that start together must not report together.
    if (intervalMs > 0) this.#every(intervalMs, 0.02, intervalMs * random.next(), () => this.report())
    const [first, ...others] = model.events.map(({ identifier }) => identifier)
    if (eventEveryMs > 0 && first !== undefined) {
      const post = () => this.postEvent(random.pick([first, ...others]))
      this.#every(eventEveryMs, 0.9, eventEveryMs * random.next(), post)
    }
  }

  stop(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  heard(topic: DeviceTopic, payload: Uint8Array): void {
    const { counts } = this.#parts
    const message = topic.head === 'thing' ? readMessage(payload) : undefined
    if (!message) return
    const method = methodOf(message.method)
    if (isCommand(method)) {
      this.#obey(topic, message, method)
      return
    }
    if (message.code !== undefined) message.code === 200 ? counts.accepted++ : counts.refused++
    if (method === 'getStatusReply' && message.code === 200) this.#takeStatus(message.data)
  }

  report(params = this.values()): void {
    if (Object.keys(params).length === 0) return
    const message = { method: 'report', ...this.#stamp(), params }
    const { faults = {} } = this.#parts.options
    for (const payload of spoilReport(message, faults, this.random, this.#compiled)) {
      this.#parts.send(this.#topic('up', 'property'), payload)
    }
  }

  postEvent(identifier: string, params?: Record<string, unknown>): void {
    const event = this.#compiled.events.get(identifier)
    if (!event) throw new Error(`no event ${identifier}`)
    this.#send('event', {
      method: spellMethod('eventPost', this.#dialect),
      version: '1.0',
      eventID: identifier,
      type: event.type,
      ...this.#stamp(),
      params: params ?? this.#values.invent(identifier, event.params, this.now()),
    })
  }

  values(): Record<string, unknown> {
    return this.#values.measure(this.now())
  }

  /** Device time, milliseconds. */
  now(): number {
    const { now = Date.now, faults } = this.#parts.options
    return now() + (faults?.clockSkewMs ?? 0)
  }

  nextToken(): string {
    this.#tokens++
    return `${this.#run}-${this.#tokens.toString(36)}`
  }

  #topic(way: 'up' | 'down', type: string): string {
    return buildTopic({ head: 'thing', way, type, ...this.device })
  }

  #stamp(): Record<string, unknown> {
    const tokenKey = this.#dialect === Dialect.camel ? 'msgToken' : 'clientToken'
    return { [tokenKey]: this.nextToken(), timestamp: this.now() }
  }

  #send(type: string, message: object): void {
    this.#parts.send(this.#topic('up', type), JSON.stringify(message))
  }

  /** Desired values of a shadow are told in the reply of getStatus only (device-protocol.md 5). */
  #askStatus(): void {
    const identifiers = this.#parts.model.properties.filter(isShadowed).map(({ identifier }) => identifier)
    if (identifiers.length === 0) return
    this.#send('property', { method: spellMethod('getStatus', this.#dialect), ...this.#stamp(), identifiers })
  }

  #takeStatus(data: unknown): void {
    if (!isRecord(data)) return
    for (const { identifier, define } of this.#parts.model.properties.filter(isShadowed)) {
      const coerced = this.#compiled.properties.get(identifier)?.coerce(data[identifier], identifier)
      // The default is what the platform says when it knows nothing.
      if (coerced?.ok && JSON.stringify(coerced.value) !== JSON.stringify(defaultValue(define))) {
        this.#values.keep(identifier, coerced.value)
      }
    }
  }

  #obey(asked: DeviceTopic, message: DeviceMessage, method: Parameters<typeof answerCommand>[0]): void {
    const { counts, options } = this.#parts
    const {
      reply = 'normal',
      replyDelayMs = usualReplyDelay,
      failedReplies = 0,
      silentReplies = 0,
    } = options.faults ?? {}
    counts.commands++
    if (reply === 'none' || this.random.chance(silentReplies)) return
    const broken = reply === 'error' || this.random.chance(failedReplies)
    const answer = () => {
      const how = { dialect: this.#dialect, language: options.language, now: () => this.now() }
      const own = { compiled: this.#compiled, values: this.#values, ...how }
      this.#send(asked.type, answerCommand(method, message, own, broken))
    }
    if (reply === 'slow') this.#later(replyDelayMs, answer)
    else answer()
  }

  #later(ms: number, work: () => void): void {
    const cancel = this.#parts.scheduler.after(ms, () => {
      this.#timers.delete(cancel)
      work()
    })
    this.#timers.add(cancel)
  }

  /** Runs again and again, a little earlier or later each time, until `stop`. */
  #every(ms: number, spread: number, first: number, work: () => void): void {
    this.#later(first, () => {
      work()
      this.#every(ms, spread, ms * this.random.between(1 - spread, 1 + spread), work)
    })
  }
}
