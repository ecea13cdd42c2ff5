/** Asked once at the start: better one clear sentence now than an upload that fails next week. */
import { emptyBite } from './bites.ts'
import { makeS3Client, S3Error } from './s3-client.ts'
import { makeS3Objects } from './s3-objects.ts'
import type { S3Place } from './s3-place.ts'

const probe = '.check'

function sentence({ address, bucket, accessKeyId }: S3Place, { status, code, message }: S3Error): string {
  if (status === 0) return `the files cannot be reached: ${message} (S3_ENDPOINT)`
  if (status === 404) return `there is no bucket ${bucket} at ${new URL(address).origin} (FILES_URL, S3_ENDPOINT)`
  if (status === 403) {
    return `the store refuses the key ${accessKeyId} for the bucket ${bucket}: ${message} (${code}; it must list, read, write and delete)`
  }
  return `the store of files answers ${code}: ${message} (FILES_URL, S3_ENDPOINT, S3_REGION)`
}

export async function checkStore(place: S3Place): Promise<void> {
  const objects = makeS3Objects(makeS3Client(place))
  try {
    for await (const _ of objects.list(probe)) break
    await objects.put(probe, emptyBite())
    await objects.remove(probe)
  } catch (cause) {
    throw cause instanceof S3Error ? new Error(sentence(place, cause), { cause }) : cause
  }
}
