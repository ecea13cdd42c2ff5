/** Who may look at what: whoever may ask for it by its own endpoint. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type ConfigChange, type ConfigKind, type ConfigObject, configKinds } from '@ithings/contract/features/plans.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { Draft } from './find-changes.ts'
import { kindOf } from './kinds/all-kinds.ts'
import type { Spec } from './kinds/kind.ts'
import type { PlansDeps } from './plans-deps.ts'

export function makeSees({ refuseWithout }: PlansDeps, user: SignedInUser) {
  const known = new Map<string, boolean>()
  return async (kind: ConfigKind, name: string): Promise<boolean> => {
    const { endpoint, body } = kindOf[kind].seenBy(name)
    const question = JSON.stringify([endpoint.path, body])
    const before = known.get(question)
    if (before !== undefined) return before
    try {
      await refuseWithout(user, endpoint, body)
      known.set(question, true)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== errors.permission.code) throw error
      known.set(question, false)
    }
    return known.get(question) === true
  }
}

/** Throws unless the caller may look at all of these. */
export async function refuseUnseen(
  { refuseWithout }: PlansDeps,
  user: SignedInUser,
  objects: Iterable<{ kind: ConfigKind; name: string }>,
): Promise<void> {
  const asked = new Set<string>()
  for (const { kind, name } of objects) {
    const { endpoint, body } = kindOf[kind].seenBy(name)
    const question = JSON.stringify([endpoint.path, body])
    if (asked.has(question)) continue
    asked.add(question)
    await refuseWithout(user, endpoint, body)
  }
}

const hidden = (kind: ConfigKind, spec: Spec, other?: Spec): Spec => kindOf[kind].hide?.(spec, other) ?? spec

export const toObject = (kind: ConfigKind, name: string, spec: Spec): ConfigObject => ({
  kind,
  name,
  spec: hidden(kind, spec),
})

/** As people see it: without secrets. */
export const toChange = ({ kind, name, act, before, after, now, problem }: Draft): ConfigChange => ({
  kind,
  name,
  act,
  ...(before && { before: hidden(kind, before) }),
  ...(after && { after: hidden(kind, after, before) }),
  ...(now !== undefined && { now: now && hidden(kind, now, after ?? before) }),
  problem,
})

/** In the order in which they are created. */
export const sortedKinds = (kinds: Iterable<ConfigKind>): ConfigKind[] => {
  const named = new Set(kinds)
  return configKinds.filter((kind) => named.has(kind))
}
