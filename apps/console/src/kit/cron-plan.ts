/** The visual side of a cron expression: the few shapes people mean nine times out of ten. */
export type CronPlan =
  | { kind: 'every'; count: number; unit: 'second' | 'minute' | 'hour' }
  | { kind: 'daily'; time: string }
  | { kind: 'weekly'; days: number[]; time: string }
  | { kind: 'monthly'; days: number[]; time: string }

export type PlanKind = CronPlan['kind']

export const planLabels: Record<PlanKind, string> = { every: '每隔', daily: '每天', weekly: '每周', monthly: '每月' }
export const unitLabels = { second: '秒', minute: '分钟', hour: '小时' } as const
export const unitLimits = { second: 59, minute: 59, hour: 23 } as const

/** What a person gets on choosing a shape. */
export const firstPlan: Record<PlanKind, CronPlan> = {
  every: { kind: 'every', count: 5, unit: 'minute' },
  daily: { kind: 'daily', time: '08:00:00' },
  weekly: { kind: 'weekly', days: [1], time: '08:00:00' },
  monthly: { kind: 'monthly', days: [1], time: '08:00:00' },
}

const clock = (time: string) => time.split(':').map(Number).reverse().join(' ')
const list = (days: readonly number[]) => [...days].sort((a, b) => a - b).join(',')

export function writePlan(plan: CronPlan): string {
  switch (plan.kind) {
    case 'every': {
      const step = plan.count === 1 ? '*' : `*/${plan.count}`
      if (plan.unit === 'second') return `${step} * * * * *`
      return plan.unit === 'minute' ? `0 ${step} * * * *` : `0 0 ${step} * * *`
    }
    case 'daily':
      return `${clock(plan.time)} * * *`
    case 'weekly':
      return `${clock(plan.time)} * * ${list(plan.days)}`
    case 'monthly':
      return `${clock(plan.time)} ${list(plan.days)} * *`
  }
}

const isNumber = (text: string, max: number) => /^\d{1,2}$/.test(text) && Number(text) <= max
const two = (text: string) => text.padStart(2, '0')

function numbers(text: string, min: number, max: number): number[] | undefined {
  const all = text.split(',')
  return all.every((one) => isNumber(one, max) && Number(one) >= min) ? all.map(Number) : undefined
}

const step = (text: string): number | undefined => {
  if (text === '*') return 1
  const found = /^\*\/(\d{1,2})$/.exec(text)
  return found?.[1] ? Number(found[1]) : undefined
}

/** The shape behind an expression, or undefined when it is none of the four: then only the text speaks. */
export function readPlan(expression: string): CronPlan | undefined {
  const [s, m, h, dayRaw, month, weekRaw, ...rest] = expression.trim().split(/\s+/)
  if (!s || !m || !h || !dayRaw || !month || !weekRaw || rest.length > 0 || month !== '*') return undefined
  const day = dayRaw === '?' ? '*' : dayRaw
  const week = weekRaw === '?' ? '*' : weekRaw
  if (day === '*' && week === '*') {
    const every = readEvery(s, m, h)
    if (every) return every
  }
  if (!isNumber(s, 59) || !isNumber(m, 59) || !isNumber(h, 23)) return undefined
  const time = `${two(h)}:${two(m)}:${two(s)}`
  if (day === '*' && week === '*') return { kind: 'daily', time }
  if (day === '*') {
    const days = numbers(week, 0, 7)?.map((one) => one || 7)
    return days && { kind: 'weekly', days, time }
  }
  const days = week === '*' ? numbers(day, 1, 31) : undefined
  return days && { kind: 'monthly', days, time }
}

function readEvery(s: string, m: string, h: string): CronPlan | undefined {
  const plan = (count: number | undefined, unit: 'second' | 'minute' | 'hour'): CronPlan | undefined =>
    count ? { kind: 'every', count, unit } : undefined
  if (m === '*' && h === '*') return s === '0' ? plan(1, 'minute') : plan(step(s), 'second')
  if (s === '0' && h === '*') return m === '0' ? plan(1, 'hour') : plan(step(m), 'minute')
  return s === '0' && m === '0' ? plan(step(h), 'hour') : undefined
}
