import * as contract from '@ithings/contract/features/sign-on.ts'
import * as flow from '@ithings/contract/features/sign-on-flow.ts'
import { logout } from '@ithings/contract/features/users.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { finishSignOn, toAppError } from './finish-sign-on.ts'
import { beginSignOn } from './flow.ts'
import { linkIdentity, listIdentities, unlinkIdentity } from './identities.ts'
import { listChoices, listProviders, readProvider } from './list-providers.ts'
import { createProvider, deleteProvider, testProvider, updateProvider } from './manage-providers.ts'
import { signOut } from './provider-sessions.ts'
import type { SignOnDeps } from './sign-on-deps.ts'

/** As for a sign-in by password. */
const limit = { perMinute: 120 }

export const signOnRoutes = (deps: SignOnDeps): MountedEndpoint[] => [
  on(flow.listSignOnChoices, () => listChoices(deps), limit),
  on(
    flow.beginSignOn,
    async (input) => {
      try {
        return await beginSignOn(deps, input)
      } catch (error) {
        throw toAppError(error)
      }
    },
    limit,
  ),
  on(flow.finishSignOn, (input, ctx) => finishSignOn(deps, input, ctx), limit),
  // Of every session: one that began at a provider ends there, too.
  on(logout, (_input, ctx) => signOut(deps, ctx)),
  on(contract.listProviders, (input) => listProviders(deps, input)),
  on(contract.readProvider, (input) => readProvider(deps, input)),
  on(contract.createProvider, (input, ctx) => createProvider(deps, input, ctx)),
  on(contract.updateProvider, (input, ctx) => updateProvider(deps, input, ctx)),
  on(contract.deleteProvider, (input, ctx) => deleteProvider(deps, input, ctx)),
  on(contract.testProvider, (input) => testProvider(deps, input)),
  on(contract.listIdentities, (input) => listIdentities(deps, input)),
  on(contract.linkIdentity, (input, ctx) => linkIdentity(deps, input, ctx)),
  on(contract.unlinkIdentity, (input, ctx) => unlinkIdentity(deps, input, ctx)),
]
