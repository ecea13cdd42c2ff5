/** Feishu's custom robot (open.feishu.cn/document/client-docs/bot-v3/add-custom-bot). */
import { createHmac } from 'node:crypto'
import type { Clock } from '#ports/clock.ts'
import type { PostOptions } from './post-json.ts'
import { clipBytes, postToRobot, readMentions } from './robot.ts'
import type { Outgoing, Sender } from './sender.ts'

/** The whole request must stay below 20 KB. */
const maxTextBytes = 16_000

/** Signed in the body, in seconds: `timestamp\nsecret` is the key and the message is empty (sic). */
export const signFeishu = (secret: string, timestamp: string): string =>
  createHmac('sha256', `${timestamp}\n${secret}`).digest('base64')

function bodyOf({ title, content, settings, language }: Outgoing, nowMs: number): string {
  const { mobiles, userIDs, all } = readMentions(settings.mentions)
  const at = [...userIDs, ...mobiles, ...(all ? ['all'] : [])].map((id) => ({ tag: 'at', user_id: id }))
  const lines = clipBytes(content, maxTextBytes)
    .split('\n')
    .map((text) => [{ tag: 'text', text }])
  const timestamp = String(Math.floor(nowMs / 1000))
  return JSON.stringify({
    ...(settings.secret && { timestamp, sign: signFeishu(settings.secret, timestamp) }),
    msg_type: 'post',
    content: {
      post: { [language === 'en' ? 'en_us' : 'zh_cn']: { title, content: at.length > 0 ? [...lines, at] : lines } },
    },
  })
}

export const makeFeishuSender =
  (clock: Clock, options: PostOptions): Sender =>
  (message) =>
    postToRobot({ url: message.settings.url, body: bodyOf(message, clock.now()) }, options)
