import * as contract from '@ithings/contract/features/notify.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { listDeliveries, retryDelivery } from './delivery-log.ts'
import { listChannels, readChannel } from './list-channels.ts'
import { createChannel, deleteChannel, updateChannel } from './manage-channels.ts'
import type { NotifyDeps } from './notify-deps.ts'
import { testChannel } from './test-channel.ts'

export const notifyRoutes = (deps: NotifyDeps): MountedEndpoint[] => [
  on(contract.createChannel, (input) => createChannel(deps, input)),
  on(contract.updateChannel, (input) => updateChannel(deps, input)),
  on(contract.deleteChannel, (input) => deleteChannel(deps, input)),
  on(contract.listChannels, (input) => listChannels(deps, input)),
  on(contract.readChannel, (input) => readChannel(deps, input)),
  on(contract.testChannel, (input) => testChannel(deps, input)),
  on(contract.listDeliveries, (input) => listDeliveries(deps, input)),
  on(contract.retryDelivery, (input) => retryDelivery(deps, input)),
]
