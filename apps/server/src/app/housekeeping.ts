/** Regular small cleaning; on several servers at once it is merely done twice. */
import type { Logger } from 'pino'
import { dropOldSecrets } from '#db/secrets.ts'
import { dropOldAlarms } from '#features/alarms/housekeeping.ts'
import { dropOldCommands } from '#features/commands/housekeeping.ts'
import { dropOldFigures } from '#features/dashboard/work/housekeeping.ts'
import { tidyNames } from '#features/devices/door.ts'
import { dropOldUploads } from '#features/files/housekeeping.ts'
import { dropOldJobs } from '#features/jobs/housekeeping.ts'
import { dropOldLogs } from '#features/logs/drop-old-logs.ts'
import { dropOldDeliveries } from '#features/notify/housekeeping.ts'
import { dropLostPackages } from '#features/ota/firmware/housekeeping.ts'
import { dropOldOtaTasks } from '#features/ota/housekeeping.ts'
import { dropOldRollouts } from '#features/rollouts/housekeeping.ts'
import { dropOldRuns } from '#features/scenes/run/drop-old-runs.ts'
import { dropSpareTaskRuns } from '#features/tasks/drop-old-runs.ts'
import { dropOldGuards } from '#features/users/login-guard.ts'
import { dropOldSessions } from '#features/users/sessions.ts'
import type { Kits } from './kit-types.ts'

const everyMs = 60 * 60_000
const firstAfterMs = 60_000
const seenEveryMs = 60_000

export function startHousekeeping(kits: Kits, log: Logger): () => Promise<void> {
  const { db, clock } = kits.users
  let running: Promise<void> | undefined
  const clean = async () => {
    try {
      await dropOldGuards(db, clock)
      await dropOldSessions(db, clock)
      await tidyNames(db)
      const dropped = {
        ...(await dropOldLogs(db, clock)),
        jobs: await dropOldJobs(kits.jobs),
        uploads: await dropOldUploads(kits.files),
        packages: await dropLostPackages(kits.firmware),
        commands: await dropOldCommands(db, clock),
        runs: await dropOldRuns(db, clock),
        rollouts: await dropOldRollouts(db, clock),
        upgrades: await dropOldOtaTasks(db, clock),
        taskRuns: await dropSpareTaskRuns(db),
        ...(await dropOldAlarms(db, clock)),
        deliveries: await dropOldDeliveries(db, clock),
        secrets: await dropOldSecrets(db, clock.now()),
        figures: await dropOldFigures(db, clock),
      }
      if (Object.values(dropped).some((count) => count > 0)) log.info(dropped, 'old entries removed')
    } catch (error) {
      log.error({ err: error }, 'housekeeping failed, trying again in an hour')
    }
  }
  const run = () => {
    running ??= clean().finally(() => {
      running = undefined
    })
  }
  const writeSeen = () =>
    kits.users.access.writeSeen().catch((error) => log.warn({ err: error }, 'who was seen could not be written'))
  const seen = setInterval(writeSeen, seenEveryMs).unref()
  const first = setTimeout(run, firstAfterMs).unref()
  const later = setInterval(run, everyMs).unref()
  return async () => {
    clearTimeout(first)
    clearInterval(later)
    clearInterval(seen)
    await running
    await writeSeen()
  }
}
