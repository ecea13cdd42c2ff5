/** What of the large screen a role sees: what it may list elsewhere (decisions.md 4.4). */

import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { type HomePart, homeParts } from '@ithings/contract/features/home.ts'
import { listOtaTasks } from '@ithings/contract/features/ota/task.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { listConfigPushes } from '@ithings/contract/features/remote-config.ts'
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { listTasks } from '@ithings/contract/features/tasks.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { HomeDeps } from './home-deps.ts'

const listedBy: Record<HomePart, Endpoint> = {
  device: listDevices,
  product: listProducts,
  scene: listScenes,
  alarm: listAlarmRecords,
  ota: listOtaTasks,
  task: listTasks,
  config: listConfigPushes,
}

export interface VisibleParts {
  sees(...parts: HomePart[]): boolean
  /** Throws the refusal. */
  require(part: HomePart): void
  hidden: HomePart[]
}

export async function visiblePartsOf({ allows }: HomeDeps, role: number): Promise<VisibleParts> {
  const answers = await Promise.all(homeParts.map((part) => allows(role, listedBy[part])))
  const hidden = homeParts.filter((_part, i) => !answers[i])
  const sees = (...parts: HomePart[]) => parts.every((part) => !hidden.includes(part))
  return {
    sees,
    hidden,
    require(part) {
      if (sees(part)) return
      throw refusal(errors.permission, '你的角色没有「{name}」的权限', { name: phrase(listedBy[part].name) })
    },
  }
}
