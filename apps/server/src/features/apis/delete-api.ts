import type { ApisKit } from './apis-kit.ts'
import { lockOwnApi } from './store.ts'

export async function deleteApi(kit: ApisKit, input: { id: number }) {
  await kit.db.transaction().execute(async (db) => {
    const api = await lockOwnApi(db, input.id)
    await db.deleteFrom('role_api').where('route', '=', api.route).where('method', '=', api.method).execute()
    await db.deleteFrom('api').where('id', '=', api.id).execute()
  })
  await kit.signal.send('access.role', { roleID: 0 })
}
