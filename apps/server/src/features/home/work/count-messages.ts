import { minuteMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { EventBus } from '#ports/event-bus.ts'

export interface MessageCounter {
  /** @returns how many there were */
  flush(db: Db, now: number): Promise<number>
  stop(): void
}

/**
 * Messages that this server stored. On the way of a message only a number rises; every few seconds it is added to the
 * minute, in which all servers add up. A minute without messages gets its row too: a missing row means "nobody was there".
 */
export function countMessages(bus: EventBus): MessageCounter {
  let count = 0
  const end = bus.on('uplink.stored', () => {
    count++
  })
  return {
    async flush(db, now) {
      const taken = count
      count = 0
      try {
        await sql`
          insert into home_message as old (at, messages) values (${now - (now % minuteMs)}, ${taken})
          on conflict (at) do update set messages = old.messages + excluded.messages`.execute(db)
      } catch (error) {
        count += taken
        throw error
      }
      return taken
    },
    stop: end,
  }
}
