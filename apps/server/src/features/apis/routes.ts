import * as contract from '@ithings/contract/features/apis.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { ApisDeps } from './apis-deps.ts'
import { createApi } from './create-api.ts'
import { deleteApi } from './delete-api.ts'
import { listApis } from './list-apis.ts'
import { updateApi } from './update-api.ts'

export const apisRoutes = (deps: ApisDeps): MountedEndpoint[] => [
  on(contract.createApi, (input) => createApi(deps, input)),
  on(contract.updateApi, (input) => updateApi(deps, input)),
  on(contract.listApis, (input) => listApis(deps.db, input)),
  on(contract.deleteApi, (input) => deleteApi(deps, input)),
]
