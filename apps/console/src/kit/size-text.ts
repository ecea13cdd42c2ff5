import { numberText } from './number-text.ts'

const units = ['B', 'KB', 'MB', 'GB'] as const

/** 1.4 MB: three figures at most, so that a column of sizes stays narrow. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${numberText(size, size >= 100 ? 0 : 1)} ${units[unit]}`
}
