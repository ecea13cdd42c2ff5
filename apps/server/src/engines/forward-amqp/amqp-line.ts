/** One connection to an AMQP 0-9-1 server, with one channel on which each message is confirmed. It is not opened again by itself. */
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { type ChannelModel, type ConfirmChannel, connect, credentials, type Options } from 'amqplib'
import { saidBy } from '#engines/forward-shared/away.ts'
import { Blamed } from '#engines/forward-shared/deliver.ts'
import { guardedHost, signInOf } from '#engines/forward-shared/guarded.ts'
import { type ForwardTools, TargetAway } from '#ports/forward-target.ts'

const heartbeatSeconds = '30'
/** Content too large, and what RabbitMQ says instead of it: the channel ended because of a message. */
const blamesMessage = new Set([311, 406])

export interface AmqpLine {
  /** Answers why it is refused, or undefined when the server has it. @throws why the connection ended */
  publish(
    exchange: string,
    key: string,
    body: Buffer,
    options: Options.Publish & { messageId: string },
  ): Promise<string | undefined>
  isOpen(): boolean
  end(): void
}

interface Ending {
  cause: Error | undefined
}
const closedByThem = (): Error => Object.assign(new Error('closed'), { code: 'ECONNRESET' })

/** What the server says of an end, else what the network says. */
function meaningOf(error: Error & { code?: unknown }): Error {
  if (typeof error.code !== 'number') return error
  const reason = saidBy(error.message)
  if (blamesMessage.has(error.code)) return new Blamed(kept('对方拒收：{reason}', { reason }))
  return new TargetAway(phrase('对方断开了连接：{reason}', { reason }), { cause: error })
}

function makeLine(channel: ConfirmChannel, ending: Ending, end: () => void): AmqpLine {
  /** The server says so before it confirms the message. */
  const returned = new Map<string, string>()
  channel.on('return', ({ properties, fields }) => {
    const { replyText } = fields as unknown as { replyText?: string }
    returned.set(String(properties.messageId), replyText ?? '')
  })
  return {
    publish: (exchange, key, body, options) =>
      new Promise((resolve, reject) => {
        // Why it ended has nothing to do with a message that comes later.
        if (ending.cause) return reject(closedByThem())
        channel.publish(exchange, key, body, options, (error: Error | null) => {
          const reason = returned.get(options.messageId)
          returned.delete(options.messageId)
          if (reason !== undefined) resolve(kept('没有队列接收这条消息：{reason}', { reason: saidBy(reason) }))
          else if (!error) resolve(undefined)
          else reject(ending.cause ?? new TargetAway(phrase('对方暂不接收（basic.nack）')))
        })
      }),
    isOpen: () => ending.cause === undefined,
    end,
  }
}

/** @throws why it was not opened */
export async function openAmqpLine(
  settings: SettingsOf<'amqp'>,
  { guard, timeoutMs }: ForwardTools,
  signal: AbortSignal,
): Promise<AmqpLine> {
  const url = new URL(settings.url)
  const { lookup } = guardedHost(url, guard)
  const { username, password } = signInOf(url, settings)
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', heartbeatSeconds)
  const ending: Ending = { cause: undefined }
  const noteEnd = (error?: Error) => {
    ending.cause ??= error ? meaningOf(error) : closedByThem()
  }
  // Ends the socket itself: a good-bye would wait for an answer.
  const socket = new AbortController()
  const end = () => {
    noteEnd()
    socket.abort()
  }
  signal.addEventListener('abort', end)
  try {
    const connection: ChannelModel = await connect(url.href, {
      ...(settings.ca !== '' && { ca: settings.ca }),
      ...{ lookup, signal: socket.signal },
      credentials: username === '' ? credentials.plain('guest', 'guest') : credentials.plain(username, password),
      timeout: timeoutMs,
      noDelay: true,
    })
    connection.on('error', noteEnd)
    connection.on('close', noteEnd)
    const channel = await connection.createConfirmChannel()
    channel.on('error', noteEnd)
    channel.on('close', () => end())
    return makeLine(channel, ending, end)
  } catch (error) {
    end()
    throw meaningOf(error as Error)
  } finally {
    signal.removeEventListener('abort', end)
  }
}
