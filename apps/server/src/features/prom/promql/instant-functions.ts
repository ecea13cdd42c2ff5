/** Functions of single values. Dates are those of UTC. */

import { dayMs } from '@ithings/contract/durations.ts'

const utc = (read: (date: Date) => number) => (seconds: number) => read(new Date(seconds * 1000))

/** Of one value; some take scalars beside it. */
export const valueFunctions: Record<string, (value: number, ...scalars: number[]) => number> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  exp: Math.exp,
  sqrt: Math.sqrt,
  ln: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  sgn: (value) => (value < 0 ? -1 : value > 0 ? 1 : value),
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  cos: Math.cos,
  cosh: Math.cosh,
  sin: Math.sin,
  sinh: Math.sinh,
  tan: Math.tan,
  tanh: Math.tanh,
  deg: (value) => (value * 180) / Math.PI,
  rad: (value) => (value * Math.PI) / 180,
  // By the inverse, so that halves of 0.1 come out as in Prometheus.
  round: (value, to = 1) => Math.floor(value * (1 / to) + 0.5) / (1 / to),
  clamp: (value, least = 0, most = 0) => Math.max(least, Math.min(most, value)),
  clamp_min: (value, least = 0) => Math.max(least, value),
  clamp_max: (value, most = 0) => Math.min(most, value),
}

/** Of a moment in seconds; without an argument that of the step. */
export const dateFunctions: Record<string, (seconds: number) => number> = {
  minute: utc((date) => date.getUTCMinutes()),
  hour: utc((date) => date.getUTCHours()),
  day_of_week: utc((date) => date.getUTCDay()),
  day_of_month: utc((date) => date.getUTCDate()),
  day_of_year: utc((date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs) + 1),
  days_in_month: utc((date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()),
  month: utc((date) => date.getUTCMonth() + 1),
  year: utc((date) => date.getUTCFullYear()),
}
