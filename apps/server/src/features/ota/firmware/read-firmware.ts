import { fileLink } from '#features/files/door.ts'
import type { FirmwareDeps } from './firmware-deps.ts'
import { toWire } from './firmware-wire.ts'
import { digestOf, filesOf, missingFirmware, requireFirmware } from './store.ts'

export async function readFirmware(deps: FirmwareDeps, { firmwareID }: { firmwareID: number }) {
  const row = await requireFirmware(deps.db, firmwareID)
  const [firmware] = await toWire(deps.db, [row])
  if (!firmware) throw missingFirmware(firmwareID)
  const files = await filesOf(deps.db, firmwareID)
  return {
    ...firmware,
    files: files.map((file) => ({
      uri: fileLink(deps.files, file.path, file.name),
      name: file.name,
      size: file.size,
      signature: digestOf(row, file),
      md5: file.md5,
      sha256: file.sha256,
      signed: file.ed25519 !== '',
    })),
  }
}
