import type { TopicHead } from '@ithings/contract/device/topics.ts'
import { JournalKind } from '#ports/journal.ts'

const byHead: Record<TopicHead, JournalKind> = {
  thing: JournalKind.thing,
  gateway: JournalKind.gateway,
  log: JournalKind.sdkLog,
  ota: JournalKind.otaLog,
  config: JournalKind.config,
  shadow: JournalKind.shadow,
  ext: JournalKind.ext,
}
const byType = new Map<string, JournalKind>([
  ['thing/property', JournalKind.property],
  ['thing/event', JournalKind.event],
  ['thing/action', JournalKind.action],
  ['ext/ntp', JournalKind.ntp],
])

/** Under which action the hub log shows a topic (http-api.md 4.4). */
export const journalKindOf = (head: TopicHead, type: string): JournalKind =>
  byType.get(`${head}/${type}`) ?? byHead[head]
