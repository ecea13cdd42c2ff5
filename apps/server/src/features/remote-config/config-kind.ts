/** What a push sends to one device, for the machinery of runs. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { PushState } from '@ithings/contract/features/remote-config.ts'
import { kept } from '@ithings/contract/text.ts'
import type { RolloutKind, SendOutcome } from '#features/rollouts/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { publishVersion } from './send-config.ts'
import { newestOnItsWay, noteDelivered, requireVersion, versionOfDevice } from './store.ts'

/**
 * Versions rise, and what a device hears last is what it keeps: a push that comes late, or at the same time as a newer
 * one, must not take it back.
 */
async function send(deps: RemoteConfigDeps, device: DeviceRef, configID: number): Promise<SendOutcome> {
  const { db, clock } = deps
  const { deviceID, productID } = device
  if ((await versionOfDevice(db, deviceID)) > configID)
    return { result: 'done', code: 200, msg: kept('设备已有更新的版本') }
  const version = await requireVersion(db, productID, configID)
  // Before it goes out: whoever subscribes later has missed it.
  const at = clock.now()
  if (!(await publishVersion(deps, device, version))) {
    return { result: 'offline', msg: kept('设备离线，上线或请求时送达') }
  }
  // The newer one may have gone out just before ours.
  const newest = await newestOnItsWay(db, deviceID)
  if (newest > configID) await publishVersion(deps, device, await requireVersion(db, productID, newest))
  await noteDelivered(db, { deviceID, configID, at }, true)
  return { result: 'done', code: 200 }
}

export const configKind = (deps: RemoteConfigDeps): RolloutKind => ({
  kind: 'config',
  statuses: {
    waiting: PushState.pending,
    sent: PushState.pending,
    success: PushState.delivered,
    failed: PushState.failed,
    cancelled: PushState.cancelled,
  },
  async send(run, row) {
    try {
      return await send(deps, row, run.ownerID)
    } catch (error) {
      // The device or the version is gone: trying again is of no use.
      if (!(error instanceof AppError) || error.code !== errors.notFound.code) throw error
      return { result: 'failed', code: error.code, msg: error.kept(), final: true }
    }
  },
  // The device takes the same text twice without harm.
  lost: () => ({ then: 'again' }),
})
