import * as contract from '@ithings/contract/features/notify.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { listDeliveries, retryDelivery } from './delivery-log.ts'
import { listChannels, readChannel } from './list-channels.ts'
import { createChannel, deleteChannel, updateChannel } from './manage-channels.ts'
import type { NotifyKit } from './notify-kit.ts'
import { testChannel } from './test-channel.ts'

export const notifyRoutes = (kit: NotifyKit): MountedEndpoint[] => [
  on(contract.createChannel, (input) => createChannel(kit, input)),
  on(contract.updateChannel, (input) => updateChannel(kit, input)),
  on(contract.deleteChannel, (input) => deleteChannel(kit, input)),
  on(contract.listChannels, (input) => listChannels(kit, input)),
  on(contract.readChannel, (input) => readChannel(kit, input)),
  on(contract.testChannel, (input) => testChannel(kit, input)),
  on(contract.listDeliveries, (input) => listDeliveries(kit, input)),
  on(contract.retryDelivery, (input) => retryDelivery(kit, input)),
]
