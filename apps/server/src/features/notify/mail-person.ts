import { randomUUID } from 'node:crypto'
import { type ChannelLanguage, channelSettings } from '@ithings/contract/features/notify.ts'
import { fill, sayKept } from '@ithings/contract/text.ts'
import { translatorOf } from '#http/answer-language.ts'
import type { NotifyDeps } from './notify-deps.ts'

const sourceName = '账号安全'

/** To one person and past the outbox, whose log others read: one try, never an error, a line in our log when it fails. */
export async function mailPerson(
  { senders, mailReady, clock, log }: Pick<NotifyDeps, 'senders' | 'mailReady' | 'clock' | 'log'>,
  to: string,
  title: string,
  content: string,
  language: ChannelLanguage = '',
): Promise<void> {
  if (!mailReady || to === '') return
  const by = translatorOf(language)
  try {
    const answer = await senders.email({
      id: randomUUID(),
      settings: channelSettings.parse({ to: [to] }),
      language,
      title: sayKept(title, by),
      content: sayKept(content, by),
      payload: {},
      source: 'account',
      sourceName: by(sourceName),
      productID: '',
      deviceName: '',
      createdTime: clock.now(),
    })
    if (!answer.ok)
      log.warn({ reason: sayKept(answer.msg, fill), title: sayKept(title, fill) }, 'a mail to a person was not sent')
  } catch (error) {
    log.error({ err: error, title: sayKept(title, fill) }, 'a mail to a person could not be made')
  }
}
