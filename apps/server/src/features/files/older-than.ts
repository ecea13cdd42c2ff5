import type { Files } from '#ports/files.ts'

/** Paths below a folder that are older than the time, for cleaning. */
export async function olderThan(files: Pick<Files, 'list'>, folder: string, time: number): Promise<string[]> {
  const old: string[] = []
  for await (const { path, modifiedAt } of files.list(folder)) if (modifiedAt < time) old.push(path)
  return old
}
