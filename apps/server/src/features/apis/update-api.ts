import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateApi as endpoint } from '@ithings/contract/features/apis.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { ApisDeps } from './apis-deps.ts'
import { lockOwnApi, routeConflict } from './store.ts'

/** Absent fields stay as they are; roles that hold the API keep it under its new route and method. */
export async function updateApi(deps: ApisDeps, input: BodyOutput<typeof endpoint>) {
  let key = { route: '', method: 0 }
  await routeConflict(
    () => key,
    deps.db.transaction().execute(async (db) => {
      const api = await lockOwnApi(db, input.id)
      refuseStaleEdit(input.rev, api.rev)
      key = { route: input.route ?? api.route, method: input.method ?? api.method }
      await db
        .updateTable('api')
        .set({
          ...key,
          api_group: input.group ?? api.api_group,
          name: input.name ?? api.name,
          business_type: input.businessType ?? api.business_type,
          rev: sql`rev + 1`,
        })
        .where('id', '=', api.id)
        .execute()
      await db
        .updateTable('role_api')
        .set(key)
        .where('route', '=', api.route)
        .where('method', '=', api.method)
        .execute()
    }),
  )
  await deps.signal.send('access.role', { roleID: 0 })
}
