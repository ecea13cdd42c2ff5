/** Which devices this server sees to where one of all servers is enough: they are shared out over those that live. */
import type { Db } from '#db/schema.ts'
import { livingServers } from '#features/devices/door.ts'

export interface ServerShare {
  /** Living servers, and which of them this is, counted from 0: its devices leave that as the rest of their number. */
  readonly servers: number
  readonly place: number
  has(deviceID: number): boolean
  /** @returns whether servers came or went */
  refresh(): Promise<boolean>
}

export function makeServerShare({ db, serverID, alone }: { db: Db; serverID: string; alone: boolean }): ServerShare {
  let servers = 1
  let place = 0
  return {
    get servers() {
      return servers
    },
    get place() {
      return place
    },
    has: (deviceID) => deviceID % servers === place,
    async refresh() {
      if (alone) return false
      const living = await livingServers(db)
      const found = living.findIndex((one) => one.server_id === serverID)
      // Not seen itself: the others take over, and what it goes on with happens once all the same.
      if (found < 0 || (found === place && living.length === servers)) return false
      servers = living.length
      place = found
      return true
    },
  }
}
