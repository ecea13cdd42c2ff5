import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import {
  type ApiKey,
  type listKeys as endpoint,
  KeyKind,
  KeyState,
  type keySortFields,
} from '@ithings/contract/features/api-keys.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import { type SqlBool, sql } from 'kysely'
import { asked, fetchPage } from '#db/page.ts'
import type { ApiKeysDeps } from './api-keys-deps.ts'

const columns = {
  name: 'api_key.name',
  createdTime: 'api_key.created_at',
  usedTime: 'api_key.used_at',
  expiresTime: 'api_key.expires_at',
} as const satisfies Record<(typeof keySortFields)[number], string>

const rowsOf = ({ db }: ApiKeysDeps) =>
  db
    .selectFrom('api_key')
    .leftJoin('app_user', 'app_user.user_id', 'api_key.user_id')
    .innerJoin('role', (join) => join.on('role.id', '=', sql`coalesce(api_key.role_id, app_user.role_id)`))
    .leftJoin('product', 'product.product_id', 'api_key.product_id')
    .leftJoin('device_group', 'device_group.group_id', 'api_key.group_id')

const stateAt = (now: Date) => sql<number>`
  case when revoked_at is not null then ${KeyState.revoked}::integer
    when expires_at <= ${now} then ${KeyState.expired}::integer else ${KeyState.valid}::integer end`

/** @param owner his keys only */
export async function listKeys(deps: ApiKeysDeps, input: BodyOutput<typeof endpoint>, owner?: number) {
  await deps.writeUsed()
  const state = stateAt(new Date(deps.clock.now()))
  const filtered = rowsOf(deps)
    .where((eb) => asked(eb, { equal: { 'api_key.user_id': owner }, contains: { 'api_key.name': input.name } }))
    .$if(input.kind !== undefined, (q) =>
      q.where('api_key.user_id', input.kind === KeyKind.service ? 'is' : 'is not', null),
    )
    .$if(input.state !== undefined, (q) => q.where(sql<SqlBool>`${state} = ${input.state}`))
  const page = await fetchPage(
    filtered,
    (q) =>
      q
        .selectAll('api_key')
        .select(['app_user.user_name', 'role.id as role', 'role.name as role_name', 'product_name', 'group_name'])
        .select(state.as('state')),
    input.page,
    { columns, fallback: { column: 'api_key.id', desc: true } },
  )
  const list = page.list.map(
    (row): ApiKey => ({
      id: row.id,
      kind: row.user_id === null ? KeyKind.service : KeyKind.personal,
      name: row.name,
      hint: row.hint,
      state: row.state,
      userName: row.user_name ?? '',
      roleID: row.role,
      roleName: row.role_name,
      apis: row.apis,
      productID: row.product_id,
      productName: row.product_name ?? '',
      groupID: row.group_id,
      groupName: row.group_name ?? '',
      addresses: row.addresses,
      perMinute: row.per_minute,
      expiresTime: toSeconds(row.expires_at),
      createdBy: row.created_by,
      createdTime: toSeconds(row.created_at),
      usedTime: toSeconds(row.used_at),
      usedIP: row.used_ip,
      revokedTime: toSeconds(row.revoked_at),
      rev: row.rev,
    }),
  )
  return { list, total: page.total }
}
