/** Levels as one value of the URL: `5,4`. Pure. */
import { type AlarmLevel, alarmLevels } from '@ithings/contract/features/alarms/config.ts'

/** Unknown ones of a hand-edited link are left out; none at all is no filter. */
export function readLevels(text: string | undefined): AlarmLevel[] | undefined {
  const given = new Set((text ?? '').split(','))
  const known = alarmLevels.filter((level) => given.has(String(level)))
  return known.length > 0 ? known : undefined
}

export const levelsText = (levels: readonly number[]): string | undefined =>
  levels.length > 0 ? levels.join(',') : undefined
