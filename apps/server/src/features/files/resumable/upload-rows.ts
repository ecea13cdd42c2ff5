/** Who uploads what by the tus protocol; the bytes lie where all servers find them. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { resumableUpload } from '@ithings/contract/features/files.ts'
import { phrase } from '@ithings/contract/text.ts'
import { type Selectable, sql } from 'kysely'
import type { ResumableUploadTable } from '#db/tables/files.ts'
import type { FilesDeps } from '../files-deps.ts'
import { temporary } from '../upload.ts'

export type UploadRow = Selectable<ResumableUploadTable>

const scene = 'productManage/ota'
const lifeMs = resumableUpload.hours * 3600_000

/** Unfinished bytes lie where no business object can take them. */
export const unfinishedPath = (id: string): string => `${temporary}resumable/${id}`
/** What the finished upload is taken by; follows from the id, so that a lost answer loses nothing. */
export const finishedPath = (id: string): string => `${scene}/${id}`

export async function findRow({ db, clock }: FilesDeps, id: string): Promise<UploadRow | undefined> {
  const row = await db.selectFrom('resumable_upload').selectAll().where('upload_id', '=', id).executeTakeFirst()
  return row && row.created_at + lifeMs > clock.now() ? row : undefined
}

type NewUpload = Pick<UploadRow, 'upload_id' | 'user_id' | 'file_name' | 'size'>

/** decisions.md 4.3: one person cannot fill the disk with what no package takes. */
export async function addRow({ db: pool, clock }: FilesDeps, row: NewUpload): Promise<void> {
  await pool.transaction().execute(async (db) => {
    await sql`select 1 from app_user where user_id = ${row.user_id} for no key update`.execute(db)
    const { count, bytes } = await db
      .selectFrom('resumable_upload')
      .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes')])
      .where('user_id', '=', row.user_id)
      .where('created_at', '>', clock.now() - lifeMs)
      .executeTakeFirstOrThrow()
    if (count >= resumableUpload.uploads || bytes + row.size > resumableUpload.bytes) {
      const { uploads, bytes: most } = resumableUpload
      throw new AppError(errors.quota, {
        msg: phrase('未使用的上传不能超过 {most} 个、共 {megabytes} MB，请先完成或取消其它上传', {
          most: uploads,
          megabytes: most / 1024 / 1024,
        }),
      })
    }
    await db
      .insertInto('resumable_upload')
      .values({ ...row, created_at: clock.now() })
      .execute()
  })
}

export const markFinished = ({ db }: FilesDeps, id: string) =>
  db.updateTable('resumable_upload').set({ finished: true }).where('upload_id', '=', id).execute()

type RowDeps = Pick<FilesDeps, 'db' | 'files' | 'clock'>

export async function removeUpload({ db, files }: RowDeps, id: string): Promise<void> {
  await files.arriving.remove(unfinishedPath(id))
  await files.remove(temporary + finishedPath(id))
  await db.deleteFrom('resumable_upload').where('upload_id', '=', id).execute()
}

/** A package took it: it counts no longer. */
export async function forgetUpload({ db }: FilesDeps, path: string): Promise<void> {
  const id = path.split('/').at(-1) ?? ''
  if (path === finishedPath(id)) await db.deleteFrom('resumable_upload').where('upload_id', '=', id).execute()
}

/** @returns how many */
export async function dropOldRows(deps: RowDeps): Promise<number> {
  const old = await deps.db
    .selectFrom('resumable_upload')
    .select('upload_id')
    .where('created_at', '<=', deps.clock.now() - lifeMs)
    .execute()
  for (const { upload_id } of old) await removeUpload(deps, upload_id)
  return old.length
}
