/** Which bucket, where, and as whom: from FILES_URL and the S3_ settings (configuration.md). */
import { readFileSync } from 'node:fs'
import { phrase } from '@ithings/contract/text.ts'
import { addressOf } from '#engines/s3-shared/s3-wire.ts'
import { TerminalError } from '#terminal.ts'

export interface S3Place {
  /** Base addresses of the bucket, without a slash at the end; devices are sent to the public one. */
  address: string
  publicAddress: string | undefined
  region: string
  bucket: string
  /** '' or a folder with a slash at its end. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

export interface S3Settings {
  url: string
  endpoint: string | undefined
  publicEndpoint: string | undefined
  region: string
  accessKeyId: string | undefined
  secretAccessKey: string | undefined
  credentialsFile: string | undefined
}

const urlForm = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/

/** The form of other S3 programs: lines `aws_access_key_id = ...`; those of the first section count. */
function readCredentials(file: string): Pick<S3Settings, 'accessKeyId' | 'secretAccessKey'> {
  const found = new Map<string, string>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name = '', value = ''] = /^\s*(aws_\w+)\s*=\s*(\S+)\s*$/.exec(line) ?? []
    if (name && !found.has(name)) found.set(name, value)
  }
  return { accessKeyId: found.get('aws_access_key_id'), secretAccessKey: found.get('aws_secret_access_key') }
}

/** @throws with a sentence for the operator */
export function readS3Place(settings: S3Settings): S3Place {
  const [, bucket, folder = ''] = urlForm.exec(settings.url) ?? []
  if (!bucket) throw new TerminalError(phrase('FILES_URL 应写成 s3://bucket 或 s3://bucket/folder'))
  const { endpoint, publicEndpoint, region, credentialsFile } = settings
  const prefix = folder.replace(/^\/+|\/+$/g, '')
  const { accessKeyId, secretAccessKey } = credentialsFile ? readCredentials(credentialsFile) : settings
  if (!accessKeyId || !secretAccessKey) {
    throw new TerminalError(
      credentialsFile
        ? phrase('{credentialsFile} 里应有 aws_access_key_id = … 和 aws_secret_access_key = … 两行', {
            credentialsFile,
          })
        : phrase('设置了 FILES_URL 就要设置 S3_ACCESS_KEY_ID 和 S3_SECRET_ACCESS_KEY，或 S3_CREDENTIALS_FILE'),
    )
  }
  return {
    address: addressOf(endpoint ?? `https://s3.${region}.amazonaws.com`, bucket),
    publicAddress: publicEndpoint && addressOf(publicEndpoint, bucket),
    region,
    bucket,
    prefix: prefix && `${prefix}/`,
    accessKeyId,
    secretAccessKey,
  }
}
