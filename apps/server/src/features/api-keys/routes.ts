import * as contract from '@ithings/contract/features/api-keys.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { ApiKeysDeps } from './api-keys-deps.ts'
import { listKeyApis } from './list-key-apis.ts'
import { listKeys } from './list-keys.ts'
import { createOwn, createServiceAccount, revokeKey, updateKey } from './manage-keys.ts'

export const apiKeysRoutes = (deps: ApiKeysDeps): MountedEndpoint[] => [
  on(contract.listKeys, (input) => listKeys(deps, input)),
  on(contract.createServiceKey, (input, { user }) => createServiceAccount(deps, input, user)),
  on(contract.updateKey, (input, { user }) => updateKey(deps, input, user)),
  on(contract.revokeKey, (input, { user }) => revokeKey(deps, input, user)),
  on(contract.listKeyApis, (_input, { user }) => listKeyApis(deps, user)),
  on(contract.listOwnKeys, (input, { user }) => listKeys(deps, input, user.userID)),
  on(contract.createOwnKey, (input, { user }) => createOwn(deps, input, user)),
  on(contract.updateOwnKey, (input, { user }) => updateKey(deps, input, user, user.userID)),
  on(contract.revokeOwnKey, (input, { user }) => revokeKey(deps, input, user, user.userID)),
]
