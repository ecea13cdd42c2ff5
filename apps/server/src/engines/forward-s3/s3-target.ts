/** Messages as files in a bucket, one for each hour in which something happened; the same batch makes the same files. */
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import { phrase } from '@ithings/contract/text.ts'
import { saidBy } from '#engines/forward-shared/away.ts'
import { chunksOf, type Placed, placed } from '#engines/forward-shared/chunks.ts'
import { reasonOf, throwIfStopped, wordsIn } from '#engines/forward-shared/reach.ts'
import { type ForwardMessage, type ForwardTarget, type OpenTarget, TargetAway } from '#ports/forward-target.ts'
import { fileForms } from './file-forms.ts'
import { makePutObject, StoreRefused } from './put-object.ts'

const most = 50_000
/** Of bodies in one file. */
const mostBytes = 16 * 1024 * 1024

/** yyyy/mm/dd/hh, in UTC. */
const hourOf = (time: number): string => new Date(time).toISOString().slice(0, 13).replace(/[-T]/g, '/')

/** Within one hour the order stays. */
function byHour(batch: readonly ForwardMessage[]): Map<string, Placed[]> {
  return Map.groupBy(placed(batch), ({ message }) => hourOf(message.time))
}

const full = /full|quota|insufficient/i

function awayFor(settings: SettingsOf<'s3'>, error: unknown): TargetAway {
  const { endpoint, bucket, accessKey } = settings
  const { origin } = new URL(endpoint)
  const words = wordsIn(error)
  if (words) return new TargetAway(words, { cause: error })
  const message = reasonOf(error)
  if (!(error instanceof StoreRefused)) {
    return new TargetAway(phrase('无法连接对象存储 {origin}：{message}', { origin, message }), { cause: error })
  }
  const { status } = error
  const code = saidBy(error.code)
  if (status === 507 || full.test(code)) {
    return new TargetAway(phrase('对象存储空间已满：{message}（{code}）', { message, code }), { cause: error })
  }
  if (status === 401 || status === 403) {
    const values = { accessKey, bucket, message, code }
    return new TargetAway(phrase('对象存储拒绝用 {accessKey} 访问存储桶 {bucket}：{message}（{code}）', values), {
      cause: error,
    })
  }
  if (status === 404)
    return new TargetAway(phrase('{origin} 没有存储桶 {bucket}', { origin, bucket }), { cause: error })
  return new TargetAway(phrase('对象存储返回 {code}：{message}', { code, message }), { cause: error })
}

export const openS3Target: OpenTarget<'s3'> = (settings, tools): ForwardTarget => {
  const put = makePutObject(settings, tools)
  const { ending, contentType, encode } = fileForms[settings.format]
  const folder = settings.prefix.replace(/^\/+/, '').replace(/([^/])$/, '$1/')
  const closing = new AbortController()

  async function putFile(hour: string, messages: readonly ForwardMessage[], signal: AbortSignal): Promise<void> {
    const name = encodeURIComponent(messages[0]?.id ?? '')
    const key = `${folder}${hour}/${name}-${messages.length}.${ending}`
    const bytes = await encode(messages)
    throwIfStopped(signal)
    await put({ key, bytes, contentType }, signal)
  }

  return {
    most,
    gatherMs: settings.seconds * 1_000,
    /** A store that is not ready for one file is not ready for any: nothing is refused for good. */
    async send(batch, ended) {
      const signal = AbortSignal.any([ended, closing.signal])
      throwIfStopped(signal)
      try {
        for (const [hour, messages] of byHour(batch)) {
          for (const chunk of chunksOf(messages, most, mostBytes, ({ body }) => body.length)) {
            await putFile(
              hour,
              chunk.map(({ message }) => message),
              signal,
            )
          }
        }
        return []
      } catch (error) {
        throwIfStopped(signal)
        throw awayFor(settings, error)
      }
    },
    async close() {
      closing.abort()
    },
  }
}
