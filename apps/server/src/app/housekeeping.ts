/** Regular small cleaning; on several servers at once it is merely done twice. */
import type { Logger } from 'pino'
import type { Background } from '#background/background.ts'
import { dropOldSecrets } from '#db/secrets.ts'
import { dropOldAlarms } from '#features/alarms/housekeeping.ts'
import { dropOldCommands } from '#features/commands/housekeeping.ts'
import { tidyNames } from '#features/devices/door.ts'
import { dropOldUploads } from '#features/files/housekeeping.ts'
import { dropOldFigures } from '#features/home/work/housekeeping.ts'
import { dropOldJobs } from '#features/jobs/housekeeping.ts'
import { dropOldLogs } from '#features/logs/drop-old-logs.ts'
import { dropOldDeliveries } from '#features/notify/housekeeping.ts'
import { dropLostPackages } from '#features/ota/firmware/housekeeping.ts'
import { dropOldOtaTasks } from '#features/ota/housekeeping.ts'
import { dropOldPlans } from '#features/plans/housekeeping.ts'
import { dropOldReports } from '#features/reports/housekeeping.ts'
import { dropOldRollouts } from '#features/rollouts/housekeeping.ts'
import { dropOldRuns } from '#features/scenes/run/drop-old-runs.ts'
import { dropSpareTaskRuns } from '#features/tasks/drop-old-runs.ts'
import { dropOldGuards } from '#features/users/login-guard.ts'
import { dropOldSessions } from '#features/users/sessions.ts'
import type { FeatureDeps } from './feature-deps.ts'

const everyMs = 60 * 60_000
const firstAfterMs = 60_000
const seenEveryMs = 60_000

async function clean(featureDeps: FeatureDeps, log: Logger): Promise<void> {
  const { db, clock } = featureDeps.users
  await dropOldGuards(db, clock)
  await dropOldSessions(db, clock)
  await tidyNames(db)
  const dropped = {
    ...(await dropOldLogs(db, clock)),
    jobs: await dropOldJobs(featureDeps.jobs),
    uploads: await dropOldUploads(featureDeps.files),
    packages: await dropLostPackages(featureDeps.firmware),
    commands: await dropOldCommands(db, clock),
    runs: await dropOldRuns(db, clock),
    rollouts: await dropOldRollouts(db, clock),
    upgrades: await dropOldOtaTasks(db, clock),
    taskRuns: await dropSpareTaskRuns(db),
    ...(await dropOldAlarms(db, clock)),
    deliveries: await dropOldDeliveries(db, clock),
    secrets: await dropOldSecrets(db, clock.now()),
    ...(await dropOldReports(featureDeps.reports)),
    plans: await dropOldPlans(db, clock),
    figures: await dropOldFigures(db, clock),
  }
  if (Object.values(dropped).some((count) => count > 0)) log.info(dropped, 'old entries removed')
}

export function startHousekeeping(featureDeps: FeatureDeps, background: Background, log: Logger): () => Promise<void> {
  const cleaning = background.every({
    name: 'housekeeping',
    everyMs,
    firstMs: firstAfterMs,
    run: () => clean(featureDeps, log),
  })
  const seen = background.every({
    name: 'users.seen',
    everyMs: seenEveryMs,
    firstMs: seenEveryMs,
    async run() {
      await featureDeps.users.access.writeSeen()
      await featureDeps.gate.writeUsed()
    },
  })
  return async () => {
    await cleaning.stop()
    await seen.stop()
    await seen.flush()
  }
}
