import * as contract from '@ithings/contract/features/apis.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { ApisKit } from './apis-kit.ts'
import { createApi } from './create-api.ts'
import { deleteApi } from './delete-api.ts'
import { listApis } from './list-apis.ts'
import { updateApi } from './update-api.ts'

export const apisRoutes = (kit: ApisKit): MountedEndpoint[] => [
  on(contract.createApi, (input) => createApi(kit, input)),
  on(contract.updateApi, (input) => updateApi(kit, input)),
  on(contract.listApis, (input) => listApis(kit.db, input)),
  on(contract.deleteApi, (input) => deleteApi(kit, input)),
]
