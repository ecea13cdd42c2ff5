/** Search over everything that has a name (decisions.md 4.4). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { int, text } from '../wire.ts'

const { query } = endpointsOf('搜索')

export const searchKinds = ['product', 'device', 'group', 'scene', 'alarm', 'task', 'firmware'] as const
export type SearchKind = (typeof searchKinds)[number]
export const searchKindLabels: Record<SearchKind, string> = {
  product: '产品',
  device: '设备',
  group: '分组',
  scene: '场景',
  alarm: '告警配置',
  task: '设备任务',
  firmware: '固件包',
}

/** Only kinds that the caller's role may list. */
export const searchAll = query('/api/v1/things/search', '全局搜索', {
  access: 'signed-in',
  body: z.object({ keyword: text(64, 1), limit: int(1, 20).default(5) }),
  data: z.object({
    /** In the order of searchKinds; the best first. */
    list: z.array(
      z.object({
        kind: z.enum(searchKinds),
        /** productID, deviceName, groupID, ... */
        id: z.string(),
        productID: z.string(),
        name: z.string(),
        /** What tells it from others of the same name. */
        detail: z.string(),
      }),
    ),
  }),
})
export type SearchHit = z.output<typeof searchAll.data>['list'][number]
