import * as contract from '@ithings/contract/features/scripts.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { ProductsDeps } from '../products-deps.ts'
import { publishScript } from './publish-script.ts'
import { readScript } from './read-script.ts'
import { saveDraft } from './save-draft.ts'
import { makeTrialLimit } from './trial-limit.ts'
import { tryScript } from './try-script.ts'

export const customRoutes = (deps: ProductsDeps, limit = makeTrialLimit()): MountedEndpoint[] => [
  on(contract.readCustom, (input) => readScript(deps.db, input)),
  on(contract.updateCustom, (input, ctx) => limit(ctx.user.userID, () => publishScript(deps, input))),
  on(contract.saveDraft, (input) => saveDraft(deps.db, input)),
  on(contract.runScript, (input, ctx) => limit(ctx.user.userID, () => tryScript(deps, input))),
]
