import * as contract from '@ithings/contract/features/products/custom.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { ProductsKit } from '../products-kit.ts'
import { publishScript } from './publish-script.ts'
import { readScript } from './read-script.ts'
import { saveDraft } from './save-draft.ts'
import { makeTrialLimit } from './trial-limit.ts'
import { tryScript } from './try-script.ts'

export const customRoutes = (kit: ProductsKit, limit = makeTrialLimit()): MountedEndpoint[] => [
  on(contract.readCustom, (input) => readScript(kit.db, input)),
  on(contract.updateCustom, (input, ctx) => limit(ctx.user.userID, () => publishScript(kit, input))),
  on(contract.saveDraft, (input) => saveDraft(kit.db, input)),
  on(contract.runScript, (input, ctx) => limit(ctx.user.userID, () => tryScript(kit, input))),
]
