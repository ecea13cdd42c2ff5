import { fileLink } from '#features/files/door.ts'
import type { FirmwareKit } from './firmware-kit.ts'
import { toWire } from './firmware-wire.ts'
import { digestOf, filesOf, missingFirmware, requireFirmware } from './store.ts'

export async function readFirmware(kit: FirmwareKit, { firmwareID }: { firmwareID: number }) {
  const row = await requireFirmware(kit.db, firmwareID)
  const [firmware] = await toWire(kit.db, [row])
  if (!firmware) throw missingFirmware(firmwareID)
  const files = await filesOf(kit.db, firmwareID)
  return {
    ...firmware,
    files: files.map((file) => ({
      uri: fileLink(kit.files, file.path, file.name),
      name: file.name,
      size: file.size,
      signature: digestOf(row, file),
      md5: file.md5,
      sha256: file.sha256,
      signed: file.ed25519 !== '',
    })),
  }
}
