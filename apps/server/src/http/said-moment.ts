/** Moments as texts name them (docs/design/language.md): by the clock of the server, which schedules are meant in, too. */
import type { Phrase } from '@ithings/contract/text.ts'
import { localZone, zoneOffset } from '@ithings/contract/zone-days.ts'

/** This locale writes 2026-11-15 08:00:00. */
const plain = (ms: number): string => new Date(ms).toLocaleString('sv-SE')

/** Who reads English may be anywhere: there the zone is named. @param chinese as its readers have always read it */
export const saidMoment = (ms: number, chinese = plain(ms)): Phrase => ({
  text: chinese,
  english: `${plain(ms)} ${zoneOffset(localZone(), new Date(ms))}`,
})

/** In Chinese 2027/1/30 08:00:00. */
export const saidMomentWithSlashes = (ms: number): Phrase =>
  saidMoment(ms, new Date(ms).toLocaleString('zh-CN', { hour12: false }))
