import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { readDemo as endpoint } from '@ithings/contract/features/demo.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import type { Language } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { itemsOf } from './items.ts'

export interface StoredDemo {
  complete: boolean
  removing: boolean
  /** Of the job that is at work; '': none is. */
  openJob: string
}

export async function findDemo(db: Db): Promise<StoredDemo | undefined> {
  const row = await db
    .selectFrom('demo')
    .leftJoin('job', (join) =>
      join.onRef('job.job_id', '=', 'demo.job_id').on('job.status', 'in', [JobStatus.waiting, JobStatus.running]),
    )
    .select(['demo.complete', 'demo.removing', 'job.job_id'])
    .executeTakeFirst()
  return row && { complete: row.complete, removing: row.removing, openJob: row.job_id ?? '' }
}

/** In whose name the terminal asks for it. */
export async function firstAdmin(db: Db, language: Language = 'zh'): Promise<SignedInUser> {
  const row = await db
    .selectFrom('app_user')
    .select(['user_id', 'user_name', 'role_id'])
    .where('role_id', '=', BuiltInRole.admin)
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { userID: row.user_id, userName: row.user_name, role: row.role_id, sid: '', language }
}

/** Also while it comes or goes. */
export const hasDemo = async (db: Db): Promise<boolean> => (await findDemo(db)) !== undefined

/** What a broken loading left behind counts as loaded: it can be removed. */
const stateOf = (demo: StoredDemo | undefined): DataOf<typeof endpoint>['state'] => {
  if (!demo) return 'none'
  if (demo.openJob === '') return 'loaded'
  return demo.removing ? 'removing' : 'loading'
}

/** Whether there is anything that belongs to somebody. */
export async function isEmpty(db: Db): Promise<boolean> {
  const product = await db.selectFrom('product').select('product_id').limit(1).executeTakeFirst()
  return product === undefined
}

export async function readDemo(db: Db): Promise<DataOf<typeof endpoint>> {
  const demo = await findDemo(db)
  const products = demo ? await itemsOf(db, 'product') : []
  const { rows } = await sql<{ devices: number }>`
    select coalesce(sum(devices), 0)::integer as devices from device_tally
    where product_id = any(${products}::text[])`.execute(db)
  return {
    state: stateOf(demo),
    empty: !demo && (await isEmpty(db)),
    products: products.length,
    devices: rows[0]?.devices ?? 0,
    jobID: demo?.openJob ?? '',
  }
}
