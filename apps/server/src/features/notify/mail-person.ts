import { randomUUID } from 'node:crypto'
import { channelSettings } from '@ithings/contract/features/notify.ts'
import type { NotifyDeps } from './notify-deps.ts'

/** To one person and past the outbox, whose log others read: one try, never an error, a line in our log when it fails. */
export async function mailPerson(
  { senders, mailReady, clock, log }: Pick<NotifyDeps, 'senders' | 'mailReady' | 'clock' | 'log'>,
  to: string,
  title: string,
  content: string,
): Promise<void> {
  if (!mailReady || to === '') return
  try {
    const answer = await senders.email({
      id: randomUUID(),
      settings: channelSettings.parse({ to: [to] }),
      title,
      content,
      payload: {},
      source: 'account',
      sourceName: '账号安全',
      productID: '',
      deviceName: '',
      createdTime: clock.now(),
    })
    if (!answer.ok) log.warn({ reason: answer.msg, title }, 'a mail to a person was not sent')
  } catch (error) {
    log.error({ err: error, title }, 'a mail to a person could not be made')
  }
}
