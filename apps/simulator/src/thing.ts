/** One virtual thing, whoever carries its messages: its own connection or its gateway's. */
import { type DeviceMessage, Dialect, deviceMessage, methodOf, spellMethod } from '@ithings/contract/device/messages.ts'
import { buildTopic, type DeviceTopic, type TopicHead } from '@ithings/contract/device/topics.ts'
import { PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { defaultValue } from '@ithings/contract/thing-model/values.ts'
import { answerCommand, isCommand } from './answer-command.ts'
import { compileModel } from './compiled-model.ts'
import type { Counts, DeviceName, SimulateOptions } from './options.ts'
import { makeRandom, type Random } from './random.ts'
import type { Cancel, Scheduler } from './scheduler.ts'
import { spoilReport } from './spoil-report.ts'
import { makeThingValues } from './thing-values.ts'

export interface ThingParts {
  device: DeviceName
  model: ThingModel
  options: SimulateOptions
  scheduler: Scheduler
  counts: Counts
  send(topic: string, payload: string): void
}

export interface Thing {
  readonly device: DeviceName
  /** Where the platform speaks to it. */
  readonly topics: string[]
  heard(topic: DeviceTopic, payload: Uint8Array): void
  /** Begins to report; what it was told to keep is kept over stops. */
  start(): void
  stop(): void
  report(params?: Record<string, unknown>): void
  postEvent(identifier: string, params?: Record<string, unknown>): void
  values(): Record<string, unknown>
  readonly random: Random
  /** Device time, milliseconds. */
  now(): number
  nextToken(): string
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

export function makeThing({ device, model, options, scheduler, counts, send }: ThingParts): Thing {
  const { dialect = Dialect.snake, faults = {}, intervalMs = usualInterval, eventEveryMs = usualEventPace } = options
  const random = makeRandom(options.seed ?? `${device.productID}/${device.deviceName}`)
  const compiled = compileModel(model)
  const values = makeThingValues(compiled, random, options.curves)
  const clock = options.now ?? Date.now
  const now = () => clock() + (faults.clockSkewMs ?? 0)
  // Tokens of two runs must differ, whatever the seed.
  const run = Date.now().toString(36)
  let tokens = 0
  const nextToken = () => `${run}-${(++tokens).toString(36)}`
  const topic = (head: TopicHead, way: 'up' | 'down', type: string) => buildTopic({ head, way, type, ...device })
  const tokenKey = dialect === Dialect.camel ? 'msgToken' : 'clientToken'
  const propertyUp = topic('thing', 'up', 'property')
  const timers = new Set<Cancel>()

  function report(params = values.measure(now())): void {
    if (Object.keys(params).length === 0) return
    const message = { method: 'report', [tokenKey]: nextToken(), timestamp: now(), params }
    for (const payload of spoilReport(message, faults, random, compiled)) send(propertyUp, payload)
  }

  function postEvent(identifier: string, params?: Record<string, unknown>): void {
    const event = compiled.events.get(identifier)
    if (!event) throw new Error(`no event ${identifier}`)
    const message = {
      method: spellMethod('eventPost', dialect),
      [tokenKey]: nextToken(),
      version: '1.0',
      eventID: identifier,
      type: event.type,
      timestamp: now(),
      params: params ?? values.invent(identifier, event.params, now()),
    }
    send(topic('thing', 'up', 'event'), JSON.stringify(message))
  }

  /** Desired values of a shadow are told in the reply of getStatus only (device-protocol.md 5). */
  const shadowed = model.properties.filter(({ isUseShadow, mode }) => isUseShadow && mode === PropertyMode.readWrite)
  function askStatus(): void {
    if (shadowed.length === 0) return
    const identifiers = shadowed.map(({ identifier }) => identifier)
    const method = spellMethod('getStatus', dialect)
    send(propertyUp, JSON.stringify({ method, [tokenKey]: nextToken(), timestamp: now(), identifiers }))
  }

  function takeStatus(data: unknown): void {
    if (typeof data !== 'object' || data === null) return
    for (const { identifier, define } of shadowed) {
      const raw = (data as Record<string, unknown>)[identifier]
      const coerced = compiled.properties.get(identifier)?.coerce(raw, identifier)
      // The default is what the platform says when it knows nothing.
      if (coerced?.ok && JSON.stringify(coerced.value) !== JSON.stringify(defaultValue(define))) {
        values.keep(identifier, coerced.value)
      }
    }
  }

  function later(ms: number, work: () => void): void {
    const cancel = scheduler.after(ms, () => {
      timers.delete(cancel)
      work()
    })
    timers.add(cancel)
  }

  function obey(asked: DeviceTopic, message: DeviceMessage, method: Parameters<typeof answerCommand>[0]): void {
    counts.commands++
    const { reply = 'normal', replyDelayMs = usualReplyDelay, failedReplies = 0, silentReplies = 0 } = faults
    if (reply === 'none' || random.chance(silentReplies)) return
    const broken = reply === 'error' || random.chance(failedReplies)
    const answer = () => {
      const text = answerCommand(method, message, { compiled, values, dialect, now }, broken)
      send(topic('thing', 'up', asked.type), JSON.stringify(text))
    }
    if (reply === 'slow') later(replyDelayMs, answer)
    else answer()
  }

  /** Runs again and again, a little earlier or later each time, until `stop`. */
  function every(ms: number, spread: number, first: number, work: () => void): void {
    later(first, () => {
      work()
      every(ms, spread, ms * random.between(1 - spread, 1 + spread), work)
    })
  }

  return {
    device,
    random,
    now,
    nextToken,
    topics: ['property', 'event', 'action'].map((type) => topic('thing', 'down', type)),
    heard(parsed, payload) {
      const message = parsed.head === 'thing' ? readMessage(payload) : undefined
      if (!message) return
      const method = methodOf(message.method)
      if (isCommand(method)) return obey(parsed, message, method)
      if (message.code !== undefined) message.code === 200 ? counts.accepted++ : counts.refused++
      if (method === 'getStatusReply' && message.code === 200) takeStatus(message.data)
    },
    start() {
      askStatus()
      // Thousands that start together must not report together.
      if (intervalMs > 0) every(intervalMs, 0.02, intervalMs * random.next(), () => report())
      const events = model.events.map(({ identifier }) => identifier)
      const [first, ...others] = events
      if (eventEveryMs > 0 && first !== undefined) {
        every(eventEveryMs, 0.9, eventEveryMs * random.next(), () => postEvent(random.pick([first, ...others])))
      }
    },
    stop() {
      for (const cancel of timers) cancel()
      timers.clear()
    },
    report,
    postEvent,
    values: () => values.measure(now()),
  }
}
