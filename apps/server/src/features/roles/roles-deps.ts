import type { Common } from '#common-deps.ts'

/** What the operations on roles need; made once in app/. */
export interface RolesDeps extends Common<'db' | 'signal'> {
  /** Paths of the endpoints that a role does not hold. */
  withheldFrom: (role: number) => Promise<string[]>
}
