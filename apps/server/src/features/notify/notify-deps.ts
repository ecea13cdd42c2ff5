import type { ChannelType } from '@ithings/contract/rules/channel-types.ts'
import type { Phrase } from '@ithings/contract/text.ts'
import type { Bell } from '#background/bell.ts'
import type { Common } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import type { Files } from '#ports/files.ts'
import type { NotifyMetrics } from './notify-metrics.ts'
import type { Sender } from './senders/sender.ts'

/** What notifications need; made once by `makeNotifyDeps`. */
export interface NotifyDeps extends Common<'db' | 'clock' | 'log' | 'background'> {
  metrics: NotifyMetrics
  senders: Record<ChannelType, Sender>
  /** Why nothing would be sent to the address (WEBHOOK_ALLOW). */
  refusalOf(url: string): Promise<Phrase | undefined>
  /** Where attachments lie. */
  files: Pick<Files, 'read' | 'stat'>
  /** SMTP_URL is set. */
  mailReady: boolean
  /** Rung when there is something to send. */
  bell: Bell
  /** Names of the scenes and alarms that use a channel; looked up by features above this one. */
  usersOfChannel(db: Db, channelID: number): Promise<Phrase[]>
  /** Ends what senders keep open. */
  close(): void
}
