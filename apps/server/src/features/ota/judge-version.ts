/** May a device with this version be upgraded? The same answer for the preview, the list of devices and the push. Pure. */
import { PackageKind } from '@ithings/contract/features/ota/firmware.ts'
import { VersionSource } from '@ithings/contract/features/ota/task.ts'
import { kept } from '@ithings/contract/text.ts'
import { isSameVersion, versionOrder } from './version-order.ts'

export interface Upgrade {
  /** Target. */
  version: string
  isDiff: number
  srcVersion: string
  versionList: readonly string[]
}

export type VersionVerdict = 'fits' | 'newest' | 'higher' | 'diffSource' | 'notListed' | 'unknown'

/** Only devices with certain versions may take it. */
export const isRestricted = ({ isDiff, versionList }: Upgrade): boolean =>
  isDiff === PackageKind.diff || versionList.length > 0

/** `unknown`: it must be known first, and '' is what a device has that never reported one. */
export function judgeVersion(version: string, upgrade: Upgrade): VersionVerdict {
  if (version === '') return isRestricted(upgrade) ? 'unknown' : 'fits'
  const order = versionOrder(version, upgrade.version)
  if (order === 'same') return 'newest'
  if (order === 'higher') return 'higher'
  if (upgrade.isDiff === PackageKind.diff && !isSameVersion(version, upgrade.srcVersion)) return 'diffSource'
  const { versionList } = upgrade
  if (versionList.length > 0 && !versionList.some((one) => isSameVersion(version, one))) return 'notListed'
  return 'fits'
}

/** Why a device with this version cannot take the package. */
export const unfitText = (
  verdict: Extract<VersionVerdict, 'diffSource' | 'notListed'>,
  version: string,
  { srcVersion }: Pick<Upgrade, 'srcVersion'>,
): string =>
  verdict === 'diffSource'
    ? kept('差分包须从版本 {srcVersion} 升级，设备版本为 {version}', { srcVersion, version })
    : kept('设备版本 {version} 不在待升级版本中', { version })

/**
 * decisions.md 2 "Firmware source": 2 does not trust what was reported before the task was made. The protocol has no
 * question for the version, so the push is the question: a package for every version is pushed at once, because the
 * device compares by itself; one for certain versions waits for a report (`$ota/down/report` asks for it), and is
 * given as the answer to that.
 */
export const isKnown = (source: number, reportedAt: number, createdAt: number): boolean =>
  source === VersionSource.cache || reportedAt >= createdAt
