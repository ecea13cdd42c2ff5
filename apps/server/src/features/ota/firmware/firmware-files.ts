/** What a device needs to fetch a package (device-protocol.md 8). */
import { dayMs } from '@ithings/contract/durations.ts'
import type { Db } from '#db/schema.ts'
import { type FilesDeps, fileLink } from '#features/files/door.ts'
import { digestOf, filesOf, requireFirmware } from './store.ts'

/** device-protocol.md 8: download links are good for 24 hours. */
const deviceLinkSeconds = dayMs / 1000

export interface FirmwareLinksDeps {
  db: Db
  files: Pick<FilesDeps, 'links'>
  /** Base of the links that devices download from. */
  publicUrl(): string
}

export interface FirmwareFileLink {
  name: string
  size: number
  /** Digest by the package's signMethod, hex. */
  signature: string
  fileMd5: string
  /** Absolute, signed, ends after 24 hours. */
  url: string
  /** Where it is stored; the same file keeps it. */
  path: string
  /** Ed25519 over the SHA-256, base64; '' when the product has no key. */
  ed25519: string
}

/** In the order of upload; 100009 when the package is deleted. */
export async function firmwareFilesFor(deps: FirmwareLinksDeps, firmwareID: number): Promise<FirmwareFileLink[]> {
  const row = await requireFirmware(deps.db, firmwareID)
  const files = await filesOf(deps.db, firmwareID)
  return files.map((file) => ({
    name: file.name,
    size: file.size,
    signature: digestOf(row, file),
    fileMd5: file.md5,
    url: `${deps.publicUrl()}${fileLink(deps.files, file.path, file.name, deviceLinkSeconds)}`,
    path: file.path,
    ed25519: file.ed25519,
  }))
}
