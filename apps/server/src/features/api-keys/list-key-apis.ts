import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { kept } from '@ithings/contract/text.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { ApiKeysDeps } from './api-keys-deps.ts'

const callable = allEndpoints.filter(({ access, personal }) => access !== 'public' && !personal)

/** What the caller may call himself; the choice for a service account is narrowed by its role in the end. */
export async function listKeyApis({ allows }: ApiKeysDeps, { role }: SignedInUser) {
  const list = []
  for (const endpoint of callable) {
    if (endpoint.access === 'role' && !(await allows(role, endpoint))) continue
    list.push({ path: endpoint.path, name: kept(endpoint.name), group: kept(endpoint.group) })
  }
  return { list }
}
