/** Units that scenes count time in (rules.md 2, 4). */
export const timeUnits = ['seconds', 'minutes', 'hours'] as const
export type TimeUnit = (typeof timeUnits)[number]
export const timeUnitLabels: Record<TimeUnit, string> = { seconds: '秒', minutes: '分钟', hours: '小时' }
const unitSeconds: Record<TimeUnit, number> = { seconds: 1, minutes: 60, hours: 3600 }
export const secondsOf = ({ value, unit }: { value: number; unit: TimeUnit }): number => value * unitSeconds[unit]
