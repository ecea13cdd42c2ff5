/** What others hand over to be told to people; `queueNotice` of this feature's door makes deliveries of it. */
import type { ChannelLanguage, NotifyVariable } from '@ithings/contract/features/notify.ts'
import type { NotifyOutput } from '@ithings/contract/rules/scene-parts.ts'
import type { Attachment } from '#db/tables/notify.ts'

export interface Notice {
  /** Channels by id, or named inline as a scene may do. */
  to: Pick<NotifyOutput, 'channelIDs' | 'type' | 'url' | 'to' | 'secret'> & {
    /** Of the receiver that is named inline; absent: Chinese. */
    language?: ChannelLanguage
  }
  /** `${name}` of notifyVariables is filled in. Kept sentences here and below are said in the receiver's language. */
  title: string
  content: string
  variables: Partial<Record<NotifyVariable, string>>
  /** More fields of a webhook's body. */
  payload?: Record<string, unknown>
  source: 'scene' | 'alarm' | 'forward' | 'report' | 'test'
  sourceName: string
  productID?: string
  deviceName?: string
  /** A stored file that mails carry; others have to be told a link. It must stay for as long as the outbox tries. */
  attachment?: Attachment
  /** The same notice twice makes one delivery for each channel. */
  onceKey?: string
}
