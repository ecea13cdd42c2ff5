import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { configKinds, type exportConfig as endpoint } from '@ithings/contract/features/plans.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { kindOf } from './kinds/all-kinds.ts'
import type { PlansDeps } from './plans-deps.ts'
import { makeSees, refuseUnseen, sortedKinds, toObject } from './seeing.ts'

/** What the caller may look at; a kind that he asks for and may not is refused. */
export async function exportConfig(deps: PlansDeps, input: BodyOutput<typeof endpoint>, user: SignedInUser) {
  const { kinds, names } = input
  const sees = makeSees(deps, user)
  const list = []
  for (const kind of sortedKinds(kinds ?? configKinds)) {
    const found = await kindOf[kind].load(deps.db)
    // A key of one product has no right to the kind as a whole, but to objects of it.
    if (kinds && !user.key?.narrow) await refuseUnseen(deps, user, [{ kind, name: '' }])
    for (const { name, spec } of found) {
      if (names && !names.includes(name)) continue
      if (await sees(kind, name)) list.push(toObject(kind, name, spec))
    }
  }
  return { list }
}
