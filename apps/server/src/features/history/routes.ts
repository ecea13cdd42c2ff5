import * as contract from '@ithings/contract/features/history.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { countHubLog } from './count-hub-log.ts'
import type { HistoryDeps } from './history-deps.ts'
import { listEventLog } from './list-event-log.ts'
import { listHubLog } from './list-hub-log.ts'
import { listLatest } from './list-latest.ts'
import { listPropertyLog } from './list-property-log.ts'
import { listSdkLog } from './list-sdk-log.ts'
import { readTrace } from './read-trace.ts'

export const historyRoutes = (deps: HistoryDeps): MountedEndpoint[] => [
  on(contract.listLatest, (input) => listLatest(deps, input)),
  on(contract.listPropertyLog, (input) => listPropertyLog(deps, input)),
  on(contract.listEventLog, (input) => listEventLog(deps, input)),
  on(contract.listHubLog, (input) => listHubLog(deps, input)),
  on(contract.countHubLog, (input) => countHubLog(deps, input)),
  on(contract.listSdkLog, (input) => listSdkLog(deps, input)),
  on(contract.readTrace, (input) => readTrace(deps, input)),
]
