import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { createApi as endpoint } from '@ithings/contract/features/apis.ts'
import type { ApisDeps } from './apis-deps.ts'
import { routeConflict } from './store.ts'

export async function createApi({ db, signal }: ApisDeps, input: BodyOutput<typeof endpoint>) {
  const api = await routeConflict(
    () => input,
    db
      .insertInto('api')
      .values({
        route: input.route,
        method: input.method,
        api_group: input.group,
        name: input.name,
        business_type: input.businessType,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await signal.send('access.role', { roleID: 0 })
  return { id: api.id }
}
