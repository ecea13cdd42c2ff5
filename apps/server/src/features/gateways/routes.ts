import * as contract from '@ithings/contract/features/gateways.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { bindSubDevices, unbindSubDevices } from './bind-sub-devices.ts'
import type { GatewaysDeps } from './gateways-deps.ts'
import { listBindCandidates } from './list-bind-candidates.ts'
import { listSubDevices } from './list-sub-devices.ts'
import { readGatewayOf } from './read-gateway-of.ts'

export const gatewaysRoutes = (deps: GatewaysDeps): MountedEndpoint[] => [
  on(contract.bindSubDevices, (input) => bindSubDevices(deps, input)),
  on(contract.unbindSubDevices, (input) => unbindSubDevices(deps, input)),
  on(contract.listSubDevices, (input) => listSubDevices(deps.db, input)),
  on(contract.listBindCandidates, (input) => listBindCandidates(deps.db, input)),
  on(contract.readGatewayOf, (input) => readGatewayOf(deps.db, input)),
]
