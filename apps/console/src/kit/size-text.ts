const units = ['B', 'KB', 'MB', 'GB'] as const

/** 1.4 MB: three figures, four below the next unit, so that a column of sizes stays narrow; the same in both languages. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : Number(size.toFixed(1))} ${units[unit]}`
}
