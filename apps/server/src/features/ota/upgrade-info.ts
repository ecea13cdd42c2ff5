/** What a device is told about an upgrade (device-protocol.md 8), in the members that older and newer devices read. */
import { FirmwareModule } from '@ithings/contract/features/ota/firmware.ts'
import { firmwareFilesFor } from './firmware/firmware-files.ts'
import type { OtaDeps } from './ota-deps.ts'
import type { StoredTask } from './task-store.ts'

const usualNames: Record<number, string> = {
  [FirmwareModule.wifi]: 'wifi',
  [FirmwareModule.mcu]: 'mcu',
  [FirmwareModule.main]: 'default',
}

type Links = Awaited<ReturnType<typeof firmwareFilesFor>>

/** Links are good for 24 hours: what is made now serves the next pushes of the same package. */
const keepMs = 60_000
const mostKept = 100

export type FileLinks = (firmwareID: number) => Promise<Links>

export function makeFileLinks(deps: OtaDeps): FileLinks {
  const kept = new Map<number, { at: number; links: Promise<Links> }>()
  return (firmwareID) => {
    const now = deps.clock.now()
    const known = kept.get(firmwareID)
    if (known && now - known.at < keepMs) return known.links
    const links = firmwareFilesFor(deps, firmwareID)
    kept.delete(firmwareID)
    kept.set(firmwareID, { at: now, links })
    links.catch(() => kept.delete(firmwareID))
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return links
  }
}

/** @param moduleName as the device calls it, '' when it never did */
export async function upgradeInfo(
  links: FileLinks,
  task: StoredTask,
  rowID: number,
  moduleName: string,
): Promise<Record<string, unknown>> {
  const files = (await links(task.firmwareID)).map(({ name, size, signature, fileMd5, url, ed25519 }) => ({
    name,
    size,
    signature,
    url,
    fileMd5,
    fileUrl: url,
    ...(ed25519 !== '' && { ed25519 }),
  }))
  return {
    id: rowID,
    version: task.version,
    signMethod: task.signMethod,
    isDiff: task.isDiff,
    module: moduleName || usualNames[task.module],
    extData: task.extData,
    extra: task.extData,
    ...(task.srcVersion !== '' && { srcVersion: task.srcVersion }),
    files,
    ...(files.length === 1 && { file: files[0] }),
  }
}
