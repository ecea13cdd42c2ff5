import type { BodyOutput, Endpoint } from '@ithings/contract/endpoint.ts'
import { listAlarms } from '@ithings/contract/features/alarms/config.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { listGroups } from '@ithings/contract/features/groups.ts'
import { listFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import {
  type searchAll as endpoint,
  type SearchHit,
  type SearchKind,
  searchKinds,
} from '@ithings/contract/features/search.ts'
import { listTasks } from '@ithings/contract/features/tasks.ts'
import { findDevices } from './find-devices.ts'
import { findNamed, isNamedKind } from './find-named.ts'
import type { SearchDeps } from './search-deps.ts'

/** Who may list a kind finds it; what a role cannot list has no names for it either. */
const listedBy: Record<SearchKind, Endpoint> = {
  product: listProducts,
  device: listDevices,
  group: listGroups,
  scene: listScenes,
  alarm: listAlarms,
  task: listTasks,
  firmware: listFirmware,
}

async function permittedKinds({ allows }: SearchDeps, role: number): Promise<SearchKind[]> {
  const answers = await Promise.all(searchKinds.map((kind) => allows(role, listedBy[kind])))
  return searchKinds.filter((_kind, i) => answers[i])
}

export async function searchAll(deps: SearchDeps, role: number, input: BodyOutput<typeof endpoint>) {
  const keyword = input.keyword.trim().toLowerCase()
  if (keyword === '') return { list: [] }
  const kinds = await permittedKinds(deps, role)
  const [named, devices] = await Promise.all([
    findNamed(deps.db, kinds.filter(isNamedKind), keyword, input.limit),
    kinds.includes('device') ? findDevices(deps.db, keyword, input.keyword.trim(), input.limit) : [],
  ])
  const found: SearchHit[] = [...named, ...devices]
  return { list: searchKinds.flatMap((kind) => found.filter((hit) => hit.kind === kind)) }
}
