/** Which of two versions is newer. Devices say what they like: what is no version is neither newer nor older. */
import { compareVersions, validate } from 'compare-versions'

/** 1.2-beta is a version of ours; the library knows a suffix after the third number only. */
const padded = (version: string): string => {
  const [, numbers = '', rest = ''] = /^[vV]?(\d+(?:\.\d+)*)(.*)$/.exec(version.trim()) ?? []
  const levels = numbers.split('.')
  while (levels.length < 3) levels.push('0')
  return levels.join('.') + rest
}

export type VersionOrder = 'same' | 'higher' | 'lower' | 'unknown'

/** How the version of a device stands to the target. */
export function versionOrder(version: string, target: string): VersionOrder {
  if (version === target) return 'same'
  const [one, other] = [padded(version), padded(target)]
  if (!validate(one) || !validate(other)) return 'unknown'
  const order = compareVersions(one, other)
  return order === 0 ? 'same' : order > 0 ? 'higher' : 'lower'
}

export const isSameVersion = (one: string, other: string): boolean => versionOrder(one, other) === 'same'
