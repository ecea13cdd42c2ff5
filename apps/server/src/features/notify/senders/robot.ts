/** What the robots of group chats have in common: whom to mention, how long a text may be, how they say no. */
import { kept, phrase } from '@ithings/contract/text.ts'
import * as z from 'zod'
import { storableText } from '#db/json-text.ts'
import { type Post, type PostOptions, postJson } from './post-json.ts'
import { type Answer, failure } from './sender.ts'

export interface Mentions {
  mobiles: string[]
  userIDs: string[]
  all: boolean
}

export function readMentions(list: readonly string[]): Mentions {
  const mentions: Mentions = { mobiles: [], userIDs: [], all: false }
  for (const one of list) {
    if (/^@?(all|所有人)$/i.test(one)) mentions.all = true
    else if (/^\+?[\d-]{6,}$/.test(one)) mentions.mobiles.push(one)
    else mentions.userIDs.push(one)
  }
  return mentions
}

/** Robots refuse what is longer (in bytes of UTF-8): a cut text is better than none. */
export function clipBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  const mark = '…'
  // A character cut in half decodes to the replacement character, which is taken off.
  return `${bytes
    .subarray(0, maxBytes - Buffer.byteLength(mark))
    .toString('utf8')
    .replace(/\ufffd+$/, '')}${mark}`
}

/** DingTalk and WeCom say errcode, Feishu says code; its older robots StatusCode. 0 is success everywhere. */
const verdict = z.object({
  errcode: z.number().optional(),
  errmsg: z.string().optional(),
  code: z.number().optional(),
  msg: z.string().optional(),
  StatusCode: z.number().optional(),
  StatusMessage: z.string().optional(),
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A robot answers HTTP 200 also when it refuses. */
export async function postToRobot(post: Post, options: PostOptions): Promise<Answer> {
  const result = await postJson(post, options)
  if (!result.answered) return result.failure
  const { status, text } = result
  const said = verdict.safeParse(parsed(text))
  const code = said.data?.errcode ?? said.data?.code ?? said.data?.StatusCode
  const msg = said.data?.errmsg ?? said.data?.msg ?? said.data?.StatusMessage ?? ''
  if (code === undefined)
    return failure(kept('应答不是机器人的格式（HTTP {status}），请检查地址', { status }), { code: status })
  if (code !== 0) {
    const why = msg ? storableText(msg) : phrase('未说明原因')
    return failure(kept('机器人拒绝：{why}（{code}）', { why, code }), { code })
  }
  if (status < 200 || status >= 300) return failure(kept('对方应答 HTTP {status}', { status }), { code: status })
  return { ok: true, code: status, msg }
}
