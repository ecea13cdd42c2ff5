import { kept } from '@ithings/contract/text.ts'
import type { Clock } from '#ports/clock.ts'
import { isForbiddenHeader, signWebhook } from '#ports/webhook-rules.ts'
import { type PostOptions, postJson } from './post-json.ts'
import { failure, type Outgoing, type Sender } from './sender.ts'

const shownBytes = 500

/** The fields of every webhook; the notice may add more, but not change these. */
const bodyOf = (message: Outgoing): string =>
  JSON.stringify({
    ...message.payload,
    id: message.id,
    title: message.title,
    content: message.content,
    source: message.source,
    sourceName: message.sourceName,
    productID: message.productID,
    deviceName: message.deviceName,
    time: message.createdTime,
  })

export const makeWebhookSender =
  (clock: Clock, options: PostOptions): Sender =>
  async (message) => {
    const { url, secret, headers } = message.settings
    const body = bodyOf(message)
    const timestamp = String(clock.now())
    const custom = Object.fromEntries(
      headers.filter(({ key }) => !isForbiddenHeader(key)).map(({ key, value }) => [key, value]),
    )
    const result = await postJson(
      {
        url,
        body,
        headers: {
          ...custom,
          'X-iThings-Delivery': message.id,
          'X-iThings-Timestamp': timestamp,
          ...(secret && { 'X-iThings-Signature': signWebhook(secret, timestamp, body) }),
        },
      },
      options,
    )
    if (!result.answered) return result.failure
    const { status } = result
    const said = result.text.slice(0, shownBytes).trim()
    if (status >= 200 && status < 300) return { ok: true, code: status, msg: said }
    const msg = said
      ? kept('对方应答 HTTP {status}：{said}', { status, said })
      : kept('对方应答 HTTP {status}', { status })
    return failure(msg, { code: status })
  }
