import type { ConfigKind } from '@ithings/contract/features/plans.ts'
import { alarmKind } from './alarm.ts'
import { channelKind } from './channel.ts'
import type { Kind } from './kind.ts'
import { modelKind } from './model.ts'
import { productKind } from './product.ts'
import { roleKind } from './role.ts'
import { sceneKind } from './scene.ts'
import { scriptKind } from './script.ts'

export const kindOf: Record<ConfigKind, Kind> = {
  product: productKind,
  model: modelKind,
  script: scriptKind,
  channel: channelKind,
  alarm: alarmKind,
  scene: sceneKind,
  role: roleKind,
}
