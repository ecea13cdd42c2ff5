/** WeCom's group robot (developer.work.weixin.qq.com/document/path/99110); its key is in the address, it has no signature. */
import type { PostOptions } from './post-json.ts'
import { clipBytes, postToRobot, readMentions } from './robot.ts'
import type { Outgoing, Sender } from './sender.ts'

const maxMarkdownBytes = 4_096
const maxTextBytes = 2_048

/** Only plain texts can mention people by mobile, so Markdown is for those that mention nobody. */
function bodyOf({ title, content, settings }: Outgoing): string {
  const { mobiles, userIDs, all } = readMentions(settings.mentions)
  if (settings.mentions.length === 0) {
    const text = clipBytes(`### ${title}\n${content}`, maxMarkdownBytes)
    return JSON.stringify({ msgtype: 'markdown', markdown: { content: text } })
  }
  return JSON.stringify({
    msgtype: 'text',
    text: {
      content: clipBytes(`${title}\n${content}`, maxTextBytes),
      mentioned_list: all ? [...userIDs, '@all'] : userIDs,
      mentioned_mobile_list: mobiles,
    },
  })
}

export const makeWecomSender =
  (options: PostOptions): Sender =>
  (message) =>
    postToRobot({ url: message.settings.url, body: bodyOf(message) }, options)
