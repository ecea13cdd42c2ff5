/** What an acknowledgement means by the settings of PostgreSQL and the standbys that are there. Pure. */
import { Durability } from '@ithings/contract/features/cluster.ts'

export interface DurabilityFacts {
  fsync: boolean
  /** synchronous_standby_names; '': none is waited for. */
  standbyNames: string
  /** sync_state of each standby that is connected; '': the account may not see it. */
  syncStates: readonly string[]
}

/**
 * Messages of devices are stored with synchronous_commit = on whatever the default is, so that a commit waits for the
 * standbys that the names demand.
 */
export function durabilityOf({ fsync, standbyNames, syncStates }: DurabilityFacts): Durability {
  if (!fsync) return Durability.unsafe
  if (standbyNames.trim() === '') return syncStates.length > 0 ? Durability.async : Durability.one
  const mayBeThere = syncStates.some((state) => state === '' || state === 'sync' || state === 'quorum')
  return mayBeThere ? Durability.two : Durability.waiting
}

/** Whether the default of the account promises less than that for everything but messages of devices. */
export const promisesLess = (synchronousCommit: string, durability: Durability): boolean => {
  if (durability === Durability.two) return ['off', 'local', 'remote_write'].includes(synchronousCommit)
  // Less than nothing cannot be promised.
  return synchronousCommit === 'off' && durability !== Durability.unsafe
}

/** For the log of the start. */
export const durabilityWords: Record<Durability, string> = {
  [Durability.one]: 'acknowledged means stored on one machine',
  [Durability.two]: 'acknowledged means stored on two machines',
  [Durability.async]:
    'acknowledged means stored on one machine; the standby follows later, and a fail-over may lose the last seconds',
  [Durability.waiting]: 'two machines are demanded, but no synchronous standby is connected: every commit waits for it',
  [Durability.unsafe]: 'fsync is off: a power failure may lose what was acknowledged',
}
