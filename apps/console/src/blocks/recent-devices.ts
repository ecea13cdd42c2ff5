/** The devices somebody worked with last, kept in the browser (screens.md 18 "recent list"). */
import * as z from 'zod'
import { keptList } from '#kit/kept-list.ts'

const recent = z.object({ productID: z.string(), deviceName: z.string(), title: z.string() })
export type RecentDevice = z.output<typeof recent>

export const { read: readRecent, note: noteRecent } = keptList(
  'recent-devices',
  recent,
  8,
  (one, other) => one.productID === other.productID && one.deviceName === other.deviceName,
)
