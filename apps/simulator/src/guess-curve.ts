/** Which curve suits a number of a thing model: by its unit, its name and its limits. */
import type { Define } from '@ithings/contract/thing-model/define.ts'
import { maxNumber } from '@ithings/contract/thing-model/limits.ts'
import type { Curve } from './curves.ts'
import type { Random } from './random.ts'

export interface Hint {
  identifier: string
  name: string
}

/** What is usual where people live and work. */
const usual: ReadonlyArray<readonly [RegExp, number, number]> = [
  [/^(℃|°C|摄氏度)$/, 18, 30],
  [/^(%|%RH|RH)$/i, 35, 80],
  [/^V$/, 218, 226],
  [/^A$/, 1, 8],
  [/^W$/, 200, 1500],
  [/^kW$/i, 1, 20],
  [/^Pa$/, 101_000, 101_600],
  [/^hPa$/, 1000, 1025],
  [/^kPa$/, 95, 105],
  [/^MPa$/, 0.3, 0.6],
  [/^(lx|lux)$/i, 50, 800],
  [/^ppm$/i, 400, 1200],
  [/^dB$/, 35, 65],
  [/^dBm$/, -90, -55],
  [/^(rpm|r\/min|转\/分)$/i, 800, 1600],
  [/^m\/s$/, 0.5, 8],
  [/^km\/h$/, 0, 90],
  [/^Hz$/, 49.95, 50.05],
]

const counts = /count|total|energy|mileage|kwh|累计|总量|总数|计数|次数|电量|用量|里程/i
const byDay = /temp|hum|light|lux|illum|co2|pm2|pm10|solar|power|温|湿|照度|光照|功率/i
/** A wider range says nothing about what is usual. */
const tellingSpan = 1_000_000

/** The part of the allowed range in which the value is found. */
function believable(define: Define): { low: number; high: number; min: number; max: number } {
  const min = Number(define.min ?? -maxNumber)
  const max = Number(define.max ?? maxNumber)
  const known = usual.find(([unit]) => unit.test(define.unit ?? ''))
  if (known && known[2] > min && known[1] < max) {
    return { low: Math.max(known[1], min), high: Math.min(known[2], max), min, max }
  }
  if (max - min <= tellingSpan) return { low: min + 0.2 * (max - min), high: max - 0.2 * (max - min), min, max }
  const start = Number(define.start ?? 0)
  const low = Math.min(start, max - 100)
  return { low, high: low + 100, min, max }
}

export function guessCurve(define: Define, hint: Hint, random: Random): Curve {
  const words = `${hint.identifier} ${hint.name}`
  const { low, high, min, max } = believable(define)
  if (counts.test(words) || /kwh/i.test(define.unit ?? '')) {
    return { kind: 'counter', low: Math.max(min, 0), high: max, perHour: Math.min((max - Math.max(min, 0)) / 1000, 5) }
  }
  const height = high - low
  if (byDay.test(words)) {
    // Not all alike: each device has its own middle and height.
    const inset = height * random.between(0, 0.2)
    return { kind: 'daily', low: low + inset, high: high - height * 0.2 + inset }
  }
  return { kind: 'walk', low, high }
}
