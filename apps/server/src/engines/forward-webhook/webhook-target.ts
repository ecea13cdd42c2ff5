/** Messages as POST requests, signed as the webhooks of notices are. */
import { keep } from '@ithings/contract/text.ts'
import { answerWords, openHttpLine } from '#engines/forward-shared/http-line.ts'
import { systemClock } from '#ports/clock.ts'
import type { ForwardMessage, OpenTarget, Refused } from '#ports/forward-target.ts'
import { isForbiddenHeader, signWebhook } from '#ports/webhook-rules.ts'

/** Requests of one message each that are handed over at once; they go one after the other. */
const mostSingle = 100

const isCloudEvent = ({ contentType }: ForwardMessage): boolean =>
  contentType.startsWith('application/cloudevents+json')
/** A script may have made any text. */
const asJson = ({ body, contentType }: ForwardMessage): string =>
  /^application\/([^;]*\+)?json/.test(contentType) ? body : JSON.stringify(body)

interface Content {
  body: string
  contentType: string
}

const alone = ({ body, contentType }: ForwardMessage): Content => ({ body, contentType })
const together = (messages: readonly ForwardMessage[]): Content => ({
  body: `[${messages.map(asJson).join(',')}]`,
  contentType: messages.every(isCloudEvent) ? 'application/cloudevents-batch+json' : 'application/json',
})

/** The id of the message; of several that of the first and how many follow. */
const deliveryOf = (messages: readonly ForwardMessage[]): string => {
  const id = messages[0]?.id ?? ''
  return messages.length > 1 ? `${id}+${messages.length - 1}` : id
}

export const openWebhook: OpenTarget<'webhook'> = ({ url, secret, headers, batch: size }, tools) => {
  const line = openHttpLine(new URL(url), tools)
  const custom = Object.fromEntries(
    headers.filter(({ key }) => !isForbiddenHeader(key)).map(({ key, value }) => [key, value]),
  )

  /** Why they are refused; undefined when they have arrived. */
  async function post(messages: readonly ForwardMessage[], content: Content, signal: AbortSignal) {
    const timestamp = String(systemClock.now())
    const answer = await line.post(
      content.body,
      {
        ...custom,
        'Content-Type': content.contentType,
        'X-iThings-Delivery': deliveryOf(messages),
        'X-iThings-Timestamp': timestamp,
        ...(secret && { 'X-iThings-Signature': signWebhook(secret, timestamp, content.body) }),
      },
      signal,
    )
    return answer.status < 300 ? undefined : keep([answerWords(answer)])
  }

  async function postEach(
    batch: readonly ForwardMessage[],
    contentOf: (one: ForwardMessage) => Content,
    signal: AbortSignal,
  ) {
    const refused: Refused[] = []
    for (const [index, message] of batch.entries()) {
      const reason = await post([message], contentOf(message), signal)
      if (reason !== undefined) refused.push({ index, reason })
    }
    return refused
  }

  return {
    most: size === 1 ? mostSingle : size,
    gatherMs: 0,
    async send(batch, signal) {
      if (size === 1) return postEach(batch, alone, signal)
      const reason = await post(batch, together(batch), signal)
      if (reason === undefined) return []
      if (batch.length === 1) return [{ index: 0, reason }]
      // Only some of them may be to blame.
      return postEach(batch, (message) => together([message]), signal)
    },
    async close() {
      line.close()
    },
  }
}
