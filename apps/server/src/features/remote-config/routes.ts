import * as contract from '@ithings/contract/features/remote-config.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { cancelPush } from './cancel-push.ts'
import { createConfig, restoreConfig } from './create-config.ts'
import { listConfigDevices } from './list-config-devices.ts'
import { listConfigProducts } from './list-config-products.ts'
import { listConfigs, readLatestConfig } from './list-configs.ts'
import { listPushDevices } from './list-push-devices.ts'
import { listPushes } from './list-pushes.ts'
import { previewPush } from './push-targets.ts'
import type { RemoteConfigKit } from './remote-config-kit.ts'
import { startPush } from './start-push.ts'

/** Upstream's push-all names no pace. */
const everyone = contract.pushConfig.body

export const remoteConfigRoutes = (kit: RemoteConfigKit): MountedEndpoint[] => [
  on(contract.createConfig, (input, { user }) => createConfig(kit, input, user.userName)),
  on(contract.listConfigs, (input) => listConfigs(kit, input)),
  on(contract.readLatestConfig, (input) => readLatestConfig(kit, input)),
  on(contract.restoreConfig, (input, { user }) => restoreConfig(kit, input, user.userName)),
  on(contract.listConfigProducts, (input) => listConfigProducts(kit.db, input)),
  on(contract.pushAllConfig, (input, { user }) => startPush(kit, everyone.parse(input), user)),
  on(contract.pushConfig, (input, { user }) => startPush(kit, input, user)),
  on(contract.previewConfigPush, (input) => previewPush(kit, input)),
  on(contract.listConfigPushes, (input) => listPushes(kit.db, input)),
  on(contract.listConfigPushDevices, (input) => listPushDevices(kit.db, input)),
  on(contract.listConfigDevices, (input) => listConfigDevices(kit, input)),
  on(contract.cancelConfigPush, (input) => cancelPush(kit, input)),
]
