/** Asked once at the start: better one clear sentence now than an upload that fails next week. */
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { TerminalError } from '#terminal.ts'
import { emptyBite } from './bites.ts'
import { makeS3Client, S3Error } from './s3-client.ts'
import { makeS3Objects } from './s3-objects.ts'
import type { S3Place } from './s3-place.ts'

const probe = '.check'

function sentence({ address, bucket, accessKeyId }: S3Place, { status, code, message }: S3Error): Phrase {
  if (status === 0) return phrase('无法访问文件存储：{message}（S3_ENDPOINT）', { message })
  if (status === 404) {
    const { origin } = new URL(address)
    return phrase('{origin} 没有存储桶 {bucket}（FILES_URL、S3_ENDPOINT）', { origin, bucket })
  }
  if (status === 403) {
    const values = { accessKeyId, bucket, message, code }
    return phrase(
      '文件存储拒绝用 {accessKeyId} 访问存储桶 {bucket}：{message}（{code}；须能列出、读取、写入和删除）',
      values,
    )
  }
  return phrase('文件存储返回 {code}：{message}（FILES_URL、S3_ENDPOINT、S3_REGION）', { code, message })
}

export async function checkStore(place: S3Place): Promise<void> {
  const objects = makeS3Objects(makeS3Client(place))
  try {
    for await (const _ of objects.list(probe)) break
    await objects.put(probe, emptyBite())
    await objects.remove(probe)
  } catch (cause) {
    throw cause instanceof S3Error ? new TerminalError(sentence(place, cause), { cause }) : cause
  }
}
