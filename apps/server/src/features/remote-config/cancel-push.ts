import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { cancelConfigPush as endpoint } from '@ithings/contract/features/remote-config.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { requirePush } from './run-id.ts'

/** Devices that wait are left alone; what was delivered stays delivered. */
export async function cancelPush(deps: RemoteConfigDeps, input: BodyOutput<typeof endpoint>): Promise<void> {
  const { runID } = await requirePush(deps.db, input.runID)
  if (await deps.rollouts.cancelRun(runID, kept('已取消'))) return
  throw new AppError(errors.parameter, { msg: phrase('该次下发已结束，不能取消'), field: 'runID' })
}
