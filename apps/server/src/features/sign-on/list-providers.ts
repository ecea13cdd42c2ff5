import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type {
  listProviders as listEndpoint,
  providerSortFields,
  SignOnProvider,
} from '@ithings/contract/features/sign-on.ts'
import { EnabledStatus } from '@ithings/contract/features/users.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import { asked, fetchPage } from '#db/page.ts'
import type { SignOnDeps } from './sign-on-deps.ts'
import { backChannelUriOf, findProvider, openFieldsOf, type ProviderRow, redirectUriOf, signOutUriOf } from './store.ts'

const columns = {
  name: 'sign_on_provider.name',
  createdTime: 'sign_on_provider.created_at',
  status: 'sign_on_provider.status',
} as const satisfies Record<(typeof providerSortFields)[number], string>

const users = sql<number>`(select count(*) from user_identity i where i.provider_id = sign_on_provider.id)`.as('users')

const toProvider = (deps: SignOnDeps, row: ProviderRow & { users: number }): SignOnProvider => ({
  id: row.id,
  ...openFieldsOf(row),
  hasSecret: row.client_secret !== '',
  redirectUri: redirectUriOf(deps, row.key),
  signOutUri: signOutUriOf(deps),
  backChannelUri: backChannelUriOf(deps, row.key),
  users: row.users,
  rev: row.rev,
  createdTime: toSeconds(row.created_at),
})

export async function listProviders(deps: SignOnDeps, { name, status, page }: BodyOutput<typeof listEndpoint>) {
  const filtered = deps.db
    .selectFrom('sign_on_provider')
    .where((eb) => asked(eb, { equal: { status }, contains: { name } }))
  const found = await fetchPage(filtered, (query) => query.selectAll('sign_on_provider').select(users), page, {
    columns,
    fallback: { column: 'sign_on_provider.id', desc: false },
  })
  return { list: found.list.map((row) => toProvider(deps, row)), total: found.total }
}

export async function readProvider(deps: SignOnDeps, { id }: { id: number }) {
  await findProvider(deps.db, id)
  const row = await deps.db
    .selectFrom('sign_on_provider')
    .selectAll()
    .select(users)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return toProvider(deps, row)
}

/** For strangers: nothing but what the buttons show. */
export async function listChoices({ db }: SignOnDeps) {
  const list = await db
    .selectFrom('sign_on_provider')
    .select(['key', 'name', 'name_en as nameEn'])
    .where('status', '=', EnabledStatus.enabled)
    .orderBy('id')
    .execute()
  return { list }
}
