/** Who may open what (spec 6; screens.md 1.3). */

import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { isAdminPath } from '#kit/paths.ts'

export const canAdmin = (info: { role: number }): boolean => info.role === BuiltInRole.admin

export interface GuardedRoute {
  path: string
  parent?: string
  everyone?: true
}

export type Refusal = 'needs-admin' | 'not-in-menu'

/** A detail is open to those who have it or its list in their menu. */
export function refusalOf(
  route: GuardedRoute,
  permitted: ReadonlySet<string>,
  info: { role: number },
): Refusal | undefined {
  if (route.everyone) return undefined
  if (isAdminPath(route.path) && !canAdmin(info)) return 'needs-admin'
  const reachable = permitted.has(route.path) || (route.parent !== undefined && permitted.has(route.parent))
  return reachable ? undefined : 'not-in-menu'
}
