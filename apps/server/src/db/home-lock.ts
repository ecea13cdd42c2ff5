/** Locks of what is done for the figures of the large screen: one server at a time, and nobody while a demo goes. */
import { type RawBuilder, sql } from 'kysely'

/** The place of each is the number of its lock. */
const homeWorkNames = ['map', 'away', 'silent', 'alarm'] as const
export type HomeWorkName = (typeof homeWorkNames)[number]

/** Beside those of other rooms: no other lock of the platform has this number. */
const lockClass = 7_201_300

/** The arguments of an advisory lock. */
export const homeLock = (name: HomeWorkName): RawBuilder<unknown> =>
  sql`${sql.lit(lockClass)}, ${sql.lit(homeWorkNames.indexOf(name))}`
