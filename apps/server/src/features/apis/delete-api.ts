import type { ApisDeps } from './apis-deps.ts'
import { lockOwnApi } from './store.ts'

export async function deleteApi(deps: ApisDeps, input: { id: number }) {
  await deps.db.transaction().execute(async (db) => {
    const api = await lockOwnApi(db, input.id)
    await db.deleteFrom('role_api').where('route', '=', api.route).where('method', '=', api.method).execute()
    await db.deleteFrom('api').where('id', '=', api.id).execute()
  })
  await deps.signal.send('access.role', { roleID: 0 })
}
