import { posix, win32 } from 'node:path'

/** What Windows takes for a stream of another file, a device, or another name than the given one. */
const notOnWindows = /[<>:"|?*]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** The full path of what a caller names below a folder; undefined: it is not below it, or no file can be called so. */
export function inside(folder: string, path: string, platform = process.platform): string | undefined {
  const { resolve, relative, isAbsolute, sep } = platform === 'win32' ? win32 : posix
  const full = resolve(folder, path)
  const names = relative(folder, full).split(sep)
  if (path.includes('\0') || names[0] === '' || names[0] === '..' || isAbsolute(names.join(sep))) return undefined
  if (platform === 'win32' && names.some((name) => notOnWindows.test(name))) return undefined
  return full
}
