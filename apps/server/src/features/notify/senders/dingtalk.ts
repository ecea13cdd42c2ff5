/** DingTalk's custom robot (open.dingtalk.com/document/robots/custom-robot-access). */
import { createHmac } from 'node:crypto'
import type { Clock } from '#ports/clock.ts'
import type { PostOptions } from './post-json.ts'
import { clipBytes, postToRobot, readMentions } from './robot.ts'
import type { Outgoing, Sender } from './sender.ts'

/** The whole request must stay below 20,000 bytes. */
const maxTextBytes = 16_000

/** Signed by the address: base64 of HMAC-SHA256 over `timestamp\nsecret`, in milliseconds. */
export function signDingtalk(url: string, secret: string, timestamp: number): string {
  if (!secret) return url
  const signed = new URL(url)
  signed.searchParams.set('timestamp', String(timestamp))
  signed.searchParams.set('sign', createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64'))
  return signed.href
}

function bodyOf({ title, content, settings }: Outgoing): string {
  const { mobiles, userIDs, all } = readMentions(settings.mentions)
  // Who is mentioned is highlighted only where the text names them too. Two blanks end a line in Markdown.
  const mentioned = [...mobiles, ...userIDs].map((one) => `@${one}`).join(' ')
  const lines = [`#### ${title}`, '', ...content.split('\n').map((line) => `${line}  `)]
  const text = clipBytes(lines.join('\n'), maxTextBytes)
  return JSON.stringify({
    msgtype: 'markdown',
    markdown: { title, text: mentioned ? `${text}\n\n${mentioned}` : text },
    at: { atMobiles: mobiles, atUserIds: userIDs, isAtAll: all },
  })
}

export const makeDingtalkSender =
  (clock: Clock, options: PostOptions): Sender =>
  (message) => {
    const { url, secret } = message.settings
    return postToRobot({ url: signDingtalk(url, secret, clock.now()), body: bodyOf(message) }, options)
  }
