import { dayMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Common } from '#common-deps.ts'
import { olderThan } from '#features/files/door.ts'
import type { Files } from '#ports/files.ts'

const folder = 'productManage/ota'

interface Kit extends Common<'db' | 'clock'> {
  files: { files: Files }
}

/** Files that no package knows: of products that are gone, or of a crash between copying and storing. */
export async function dropLostPackages({ db, clock, files: { files } }: Kit): Promise<number> {
  const paths = await olderThan(files, folder, clock.now() - dayMs)
  if (paths.length === 0) return 0
  const { rows } = await sql<{ path: string }>`
    select path from unnest(${paths}::text[]) as file (path)
    where not exists (select from firmware_file where firmware_file.path = file.path)`.execute(db)
  for (const { path } of rows) await files.remove(path)
  return rows.length
}
