/** Seven days of values and events: the curves of the product, with what happened in the plan of incidents. */
import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import type { Translate } from '@ithings/contract/text.ts'
import type { Define } from '@ithings/contract/thing-model/define.ts'
import type { PastDevice, PastEvent, PastReport, PastValue } from '#ports/backfill.ts'
import type { Loading } from '../demo-deps.ts'
import { type Chance, makeChance } from '../fleet/chance.ts'
import type { DemoCurve } from '../fleet/demo-curve.ts'
import type { DemoDevice } from '../fleet/devices.ts'
import { type Incident, incidentsOf } from '../fleet/incidents.ts'
import { inWords } from '../words.ts'
import type { MadeDevice } from './devices.ts'

const historyDays = 7
const stepMs = 15 * 60_000
/** Messages since then are in the log too. */
const logHours = 24
/** It takes a while until a value is usual again. */
const incidentMs = 40 * 60_000

const countersBegan = Date.UTC(2026, 0, 1)

const normal = (chance: Chance) => Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next())

/** The same shapes as the virtual devices have, so that the past runs into the present without a step. */
function numbersOf(curve: DemoCurve, chance: Chance): (at: number) => number {
  const phase = chance.between(-hourMs, hourMs)
  let wander = normal(chance)
  return (at) => {
    switch (curve.kind) {
      case 'constant':
        return curve.value
      case 'counter':
        return curve.low + ((((at - countersBegan) / hourMs) * curve.perHour) % (curve.high - curve.low))
      case 'daily': {
        const { low, high, noise = 0.05 } = curve
        const local = at - new Date(at).getTimezoneOffset() * 60_000
        const wave = Math.sin((2 * Math.PI * (local - 9 * hourMs - phase)) / dayMs)
        const value = (low + high) / 2 + ((high - low) / 2) * (wave * (1 - noise) + noise * normal(chance))
        return Math.min(Math.max(value, low), high)
      }
      case 'walk': {
        wander = wander * 0.6 + 0.8 * normal(chance)
        const value = (curve.low + curve.high) / 2 + ((curve.high - curve.low) / 6) * wander
        return Math.min(Math.max(value, curve.low), curve.high)
      }
    }
  }
}

function fitter({ type, step = '1' }: Define): (value: number) => PastValue {
  if (type === 'bool') return (value) => value !== 0
  if (type === 'enum') return (value) => value
  const size = Number(step)
  const parts = 1 / size
  // The same numbers as writing them down and reading them again gives, in a tenth of the time; no zero is negative.
  if (Number.isInteger(parts)) return (value) => Math.round(value / size) / parts + 0
  const digits = step.split('.')[1]?.length ?? 0
  return (value) => Number((Math.round(value / size) * size).toFixed(digits))
}

function reportsOf({ product, deviceName }: DemoDevice, incidents: Incident[], from: number, to: number): PastReport[] {
  const sources = product.model.properties.map(({ identifier, define }) => {
    const curve = product.curves[identifier]
    const next = curve && numbersOf(curve, makeChance(`${deviceName}/${identifier}`))
    return { identifier, fit: fitter(define), next }
  })
  // Not all at the same second.
  const shift = Math.floor(makeChance(`${deviceName}/shift`).between(0, stepMs))
  const reports: PastReport[] = []
  for (let at = from + shift; at < to; at += stepMs) {
    const values: Record<string, PastValue> = { ...product.texts }
    for (const { identifier, fit, next } of sources) if (next) values[identifier] = fit(next(at))
    for (const { dataID, value, at: begun } of incidents) {
      if (dataID in values && at >= begun - stepMs && at < begun + incidentMs) values[dataID] = value
    }
    reports.push({ at, values })
  }
  return reports
}

function eventsOf({ product, deviceName }: DemoDevice, from: number, to: number, t: Translate): PastEvent[] {
  return product.happenings.flatMap(({ event, everyHours, params }) => {
    const chance = makeChance(`${deviceName}/${event}`)
    const type = product.model.events.find((one) => one.identifier === event)?.type ?? 'info'
    const said = inWords(params, t)
    const events: PastEvent[] = []
    for (let at = from; ; ) {
      at += Math.round(everyHours * hourMs * chance.between(0.4, 1.6))
      if (at >= to) return events
      events.push({ at, eventID: event, type, params: said })
    }
  })
}

export async function makeHistory({ deps, now, t }: Loading, devices: MadeDevice[]): Promise<void> {
  const from = now - historyDays * dayMs
  const past = devices
    .filter(({ planned: { state } }) => state !== 'new')
    .map(({ deviceID, planned }): PastDevice => {
      const to = now - planned.awayHours * hourMs
      const { productID, logDays } = planned.product
      return {
        deviceID,
        productID,
        deviceName: planned.deviceName,
        logDays,
        reports: reportsOf(planned, incidentsOf(planned.deviceName, now), from, to),
        events: eventsOf(planned, from, to, t),
        // Without it the log would say that nobody was there before the virtual device came.
        ...(planned.state === 'live' && { brokeAt: now }),
      }
    })
  await deps.backfill.write(past, now - logHours * hourMs)
  for (const { deviceID, reports } of past) {
    const last = reports.at(-1)
    if (last) deps.latest.put(deviceID, last.values, last.at)
  }
}
