/**
 * Probation: a device that came back with the new version counts once it has been online without a break for the time
 * that its task names. Every sign-in moves last_login, so a break begins the time anew, over restarts and servers too;
 * the time-out of the row still ends it when the device does not stay.
 */
import { minuteMs } from '@ithings/contract/durations.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Background } from '#background/background.ts'
import type { Loop } from '#background/loop.ts'
import type { OtaPlan } from '#db/tables/ota.ts'
import type { OtaDeps } from './ota-deps.ts'

const everyMs = 1_000
const mostAtOnce = 500

/** What becomes of a row whose device has the new version and has to prove itself, in the try with this token. */
export function beginTrial({ probationMinutes, timeoutInMinutes }: OtaPlan, token: string, now: number) {
  const trialMs = probationMinutes * minuteMs
  return {
    status: OtaStatus.updating,
    msg: kept('已升级，观察中'),
    detail: { step: 100, arrivedAt: now, arrivedFor: token, trialMs },
    timeoutMs: trialMs + timeoutInMinutes * minuteMs,
  }
}

/** When the probation of a row of `one` with its `device` ends, ms. */
export const trialEnd = sql<number>`greatest((one.detail ->> 'arrivedAt')::bigint,
  coalesce(floor(extract(epoch from device.last_login) * 1000)::bigint, 0)) + (one.detail ->> 'trialMs')::bigint`

/** A row of `one` is in its probation: of this try, not of an earlier one. */
export const inTrial = sql<boolean>`one.state = 2 and one.detail ? 'arrivedAt' and one.detail ->> 'arrivedFor' = one.client_token`

async function settleTrials({ db, clock, rollouts }: OtaDeps): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select one.id from rollout_device one join device using (device_id)
    where ${inTrial} and device.is_online = 1 and ${trialEnd} <= ${clock.now()}
    order by one.id limit ${mostAtOnce}`.execute(db)
  await Promise.all(rows.map((row) => rollouts.settle(row, { result: 'success' })))
}

/** Every server does it; the first to settle a row counts. */
export const watchTrials = (deps: OtaDeps, background: Background): Loop =>
  background.every({ name: 'ota.trials', everyMs, run: () => settleTrials(deps) })
