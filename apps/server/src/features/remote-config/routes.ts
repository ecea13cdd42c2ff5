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
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { startPush } from './start-push.ts'

/** Upstream's push-all names no pace. */
const everyone = contract.pushConfig.body

export const remoteConfigRoutes = (deps: RemoteConfigDeps): MountedEndpoint[] => [
  on(contract.createConfig, (input, { user }) => createConfig(deps, input, user.userName)),
  on(contract.listConfigs, (input) => listConfigs(deps, input)),
  on(contract.readLatestConfig, (input) => readLatestConfig(deps, input)),
  on(contract.restoreConfig, (input, { user }) => restoreConfig(deps, input, user.userName)),
  on(contract.listConfigProducts, (input) => listConfigProducts(deps.db, input)),
  on(contract.pushAllConfig, (input, { user }) => startPush(deps, everyone.parse(input), user)),
  on(contract.pushConfig, (input, { user }) => startPush(deps, input, user)),
  on(contract.previewConfigPush, (input) => previewPush(deps, input)),
  on(contract.listConfigPushes, (input) => listPushes(deps.db, input)),
  on(contract.listConfigPushDevices, (input) => listPushDevices(deps.db, input)),
  on(contract.listConfigDevices, (input) => listConfigDevices(deps, input)),
  on(contract.cancelConfigPush, (input) => cancelPush(deps, input)),
]
