import type { BodyInput, Endpoint } from '@ithings/contract/endpoint.ts'
import {
  createOwnKey,
  createServiceKey,
  listKeyApis,
  listKeys,
  listOwnKeys,
  revokeKey,
  revokeOwnKey,
  updateKey,
  updateOwnKey,
} from '@ithings/contract/features/api-keys.ts'
import { listRoles } from '@ithings/contract/features/roles.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useChange } from '#api/use-change.ts'

/** Everybody's keys, for administrators, or the reader's own. */
export type Whose = 'all' | 'own'

const lists = { all: listKeys, own: listOwnKeys }
const updates = { all: updateKey, own: updateOwnKey }
const revocations = { all: revokeKey, own: revokeOwnKey }

export const keysQuery = (whose: Whose, body: BodyInput<typeof listKeys>) => endpointQuery(lists[whose], body)
export const keyApisQuery = endpointQuery(listKeyApis, {})
export const rolesQuery = endpointQuery(listRoles, {})

export const updateEndpoint = (whose: Whose): Endpoint => updates[whose]
export const revokeEndpoint = (whose: Whose): Endpoint => revocations[whose]

const stale = [listKeys, listOwnKeys]
export const useCreateServiceKey = () => useChange(createServiceKey, stale, true)
export const useCreateOwnKey = () => useChange(createOwnKey, stale, true)
export const useUpdateKey = (whose: Whose) => useChange(updates[whose], stale, true)
export const useRevokeKey = (whose: Whose) => useChange(revocations[whose], stale, true)
