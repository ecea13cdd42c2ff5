import { sql } from 'kysely'
import type { FirmwareKit } from './firmware-kit.ts'

const folder = 'productManage/ota'
const dayMs = 86_400_000

/** Files that no package knows: of products that are gone, or of a crash between copying and storing. */
export async function dropLostPackages({ db, clock, files: { files } }: FirmwareKit): Promise<number> {
  const paths = await files.olderThan(folder, clock.now() - dayMs)
  if (paths.length === 0) return 0
  const { rows } = await sql<{ path: string }>`
    select path from unnest(${paths}::text[]) as file (path)
    where not exists (select from firmware_file where firmware_file.path = file.path)`.execute(db)
  for (const { path } of rows) await files.remove(path)
  return rows.length
}
