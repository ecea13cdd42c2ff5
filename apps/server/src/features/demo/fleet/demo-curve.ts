/** How numbers of demo devices run, in the past and live (the virtual devices take the same words). */
export type DemoCurve =
  | { kind: 'daily'; low: number; high: number; noise?: number }
  | { kind: 'walk'; low: number; high: number }
  | { kind: 'counter'; low: number; high: number; perHour: number }
  | { kind: 'constant'; value: number }

export type DemoCurves = Record<string, DemoCurve>

/** Live devices of the demo take turns, so that it does not fill the disk: this long (ms) from one report to the next. */
export const demoTurnMs = 150
