import * as contract from '@ithings/contract/features/devices/msg.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { countHubLog } from './count-hub-log.ts'
import type { HistoryKit } from './history-kit.ts'
import { listEventLog } from './list-event-log.ts'
import { listHubLog } from './list-hub-log.ts'
import { listLatest } from './list-latest.ts'
import { listPropertyLog } from './list-property-log.ts'
import { listSdkLog } from './list-sdk-log.ts'
import { readTrace } from './read-trace.ts'

export const historyRoutes = (kit: HistoryKit): MountedEndpoint[] => [
  on(contract.listLatest, (input) => listLatest(kit, input)),
  on(contract.listPropertyLog, (input) => listPropertyLog(kit, input)),
  on(contract.listEventLog, (input) => listEventLog(kit, input)),
  on(contract.listHubLog, (input) => listHubLog(kit, input)),
  on(contract.countHubLog, (input) => countHubLog(kit, input)),
  on(contract.listSdkLog, (input) => listSdkLog(kit, input)),
  on(contract.readTrace, (input) => readTrace(kit, input)),
]
