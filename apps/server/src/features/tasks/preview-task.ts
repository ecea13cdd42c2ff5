import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type previewTask as endpoint, TaskTarget } from '@ithings/contract/features/tasks.ts'
import { requireProduct } from './read-plan.ts'
import { scopeOf, tellTargets, unknownNames, withNames } from './targets.ts'
import type { TasksDeps } from './tasks-deps.ts'

/** Whom it would reach now; `total` counts those online only when the task says so. */
export async function previewTask(deps: TasksDeps, asked: BodyOutput<typeof endpoint>) {
  const { db } = deps
  const choice = await withNames(db, asked)
  const { productID, targetType, deviceNames, onlineOnly } = choice
  await requireProduct(deps, productID)
  const named = targetType === TaskTarget.devices ? (deviceNames ?? []) : []
  const [{ online, offline, inactive }, unknown] = await Promise.all([
    scopeOf(db, choice).then((scope) => tellTargets(db, scope)),
    unknownNames(db, productID, named),
  ])
  return { total: onlineOnly ? online : online + offline + inactive, online, offline, inactive, unknown }
}
