/** What the platform says about a new firmware (device-protocol.md 8), in the spellings for older and newer devices. */
import { moduleOfName } from '@ithings/contract/features/ota/firmware.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import type { DownloadFile } from './download.ts'

export interface UpgradeOffer {
  id: unknown
  version: string
  module: string
  signMethod: string
  files: DownloadFile[]
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
function readFile(file: Record<string, unknown>, base: string | undefined): DownloadFile {
  const url = text(file.url ?? file.fileUrl)
  return {
    name: text(file.name),
    size: Number(text(file.size)) || 0,
    signature: text(file.signature),
    url: URL.parse(url, base)?.href ?? url,
  }
}

/** undefined: nothing is offered. @param base where links without a host lead to */
export function readOffer(data: unknown, base: string | undefined): UpgradeOffer | undefined {
  if (!isRecord(data) || typeof data.version !== 'string' || data.version === '') return undefined
  const files = Array.isArray(data.files) ? data.files : [data.file]
  return {
    id: data.id,
    version: data.version,
    module: text(data.module),
    signMethod: text(data.signMethod),
    files: files.filter(isRecord).map((file) => readFile(file, base)),
  }
}

/** The module of the device that is meant; "main", "default" and nothing are the same one. */
export function ownModule(named: string, own: Iterable<string>): string {
  const wanted = moduleOfName(named === '' ? 'default' : named)
  for (const name of own) if (name === named || (wanted && moduleOfName(name) === wanted)) return name
  return named === '' ? 'default' : named
}
