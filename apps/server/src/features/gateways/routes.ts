import * as contract from '@ithings/contract/features/devices/gateway.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { bindSubDevices, unbindSubDevices } from './bind-sub-devices.ts'
import type { GatewaysKit } from './gateways-kit.ts'
import { listBindCandidates } from './list-bind-candidates.ts'
import { listSubDevices } from './list-sub-devices.ts'
import { readGatewayOf } from './read-gateway-of.ts'

export const gatewaysRoutes = (kit: GatewaysKit): MountedEndpoint[] => [
  on(contract.bindSubDevices, (input) => bindSubDevices(kit, input)),
  on(contract.unbindSubDevices, (input) => unbindSubDevices(kit, input)),
  on(contract.listSubDevices, (input) => listSubDevices(kit.db, input)),
  on(contract.listBindCandidates, (input) => listBindCandidates(kit.db, input)),
  on(contract.readGatewayOf, (input) => readGatewayOf(kit.db, input)),
]
