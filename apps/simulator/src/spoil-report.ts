/** Faults of reports: what is sent instead of, or besides, the right text. */
import { DataType } from '@ithings/contract/thing-model/define.ts'
import type { CompiledModel } from './compiled-model.ts'
import type { Faults } from './options.ts'
import type { Random } from './random.ts'

interface Report {
  params: Record<string, unknown>
  [key: string]: unknown
}

function withOneValue(report: Report, change: (identifier: string, value: unknown) => unknown): Report {
  const params = { ...report.params }
  for (const [identifier, value] of Object.entries(params)) {
    const changed = change(identifier, value)
    if (changed === undefined) continue
    params[identifier] = changed
    break
  }
  return { ...report, params }
}

/** The payloads to send, usually one. */
export function spoilReport(report: Report, faults: Faults, random: Random, { properties }: CompiledModel): string[] {
  if (random.chance(faults.badJson ?? 0)) return [JSON.stringify(report).slice(0, -2)]
  let spoilt = report
  // No type but a struct takes an object, and a struct takes no text.
  if (random.chance(faults.wrongType ?? 0)) {
    spoilt = withOneValue(spoilt, (_, value) => (typeof value === 'object' ? 'bad' : { bad: true }))
  }
  if (random.chance(faults.outOfRange ?? 0)) {
    spoilt = withOneValue(spoilt, (identifier) => {
      const define = properties.get(identifier)?.property.define
      const isNumber = define?.type === DataType.int || define?.type === DataType.float
      return isNumber ? Number(define.max) + 1000 : undefined
    })
  }
  const text = JSON.stringify(spoilt)
  return random.chance(faults.duplicate ?? 0) ? [text, text] : [text]
}
