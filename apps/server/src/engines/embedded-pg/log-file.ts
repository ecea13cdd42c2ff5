import { open, stat, truncate, writeFile } from 'node:fs/promises'

const limit = 5 * 1024 * 1024
const interval = 60_000

/**
 * PostgreSQL appends to one open file, so the file is cut to nothing in place after its end was kept beside it:
 * at most 5 MB each (plus what one minute adds).
 */
export async function cutLog(path: string, largest = limit): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found || found.size <= largest) return
  await writeFile(`${path}.1`, await readEnd(path, largest), { mode: 0o600 })
  await truncate(path)
}

export function keepLogSmall(path: string, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => cutLog(path).catch(onError), interval).unref()
  return () => clearInterval(timer)
}

/** The last lines, for an error message about a start that failed. */
export async function logTail(path: string): Promise<string> {
  return (await readEnd(path, 2000)).toString('utf8').trim()
}

async function readEnd(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, Math.max(0, size - bytes))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
