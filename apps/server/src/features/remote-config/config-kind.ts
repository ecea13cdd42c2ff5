/** What a push sends to one device, for the machinery of runs. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { PushState } from '@ithings/contract/features/remote-config.ts'
import type { RolloutKind } from '#features/rollouts/door.ts'
import type { RemoteConfigKit } from './remote-config-kit.ts'
import { sendVersion } from './send-config.ts'
import { requireVersion, versionOfDevice } from './store.ts'

export const configKind = (kit: RemoteConfigKit): RolloutKind => ({
  kind: 'config',
  statuses: {
    waiting: PushState.pending,
    sent: PushState.pending,
    success: PushState.delivered,
    failed: PushState.failed,
    cancelled: PushState.cancelled,
  },
  async send(run, row) {
    // Versions rise: a device that was away must not fall back when an older push reaches it late.
    if ((await versionOfDevice(kit.db, row.deviceID)) > run.ownerID) {
      return { result: 'done', code: 200, msg: '设备已有更新的版本' }
    }
    try {
      const version = await requireVersion(kit.db, run.productID, run.ownerID)
      const { delivered } = await sendVersion(kit, row, version)
      return delivered ? { result: 'done', code: 200 } : { result: 'offline', msg: '设备离线，上线或请求时送达' }
    } catch (error) {
      // The device or the version is gone: trying again is of no use.
      if (!(error instanceof AppError) || error.code !== errors.notFound.code) throw error
      return { result: 'failed', code: error.code, msg: error.message, final: true }
    }
  },
  // The device takes the same text twice without harm.
  lost: () => ({ then: 'again' }),
})
