/** What the machinery of plans knows of one kind of object. */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import type { ConfigKind } from '@ithings/contract/features/plans.ts'
import type { Db } from '#db/schema.ts'
import type { Scope } from '../plans-deps.ts'

export type Spec = Record<string, unknown>

/** An object that stands, with the secrets in its spec. */
export interface Found {
  name: string
  /** Its number here; of what belongs to a product: 0. */
  id: number
  spec: Spec
}

export interface Kind {
  readonly kind: ConfigKind
  /** Who may not ask this does not see the object. */
  seenBy(name: string): { endpoint: Endpoint; body: unknown }
  /** All of them in the one form that files have: complete, without ids. */
  load(db: Db): Promise<Found[]>
  /**
   * What somebody wants in the form of `load`; throws what is wrong with it. What is hidden in it, and a secret that it
   * does not name, are those that stand.
   */
  read(db: Db, spec: Spec, before: Spec | undefined): Promise<Spec>
  /** Without secrets. `other` is the opposite side of a change: a secret that is another one there is marked. */
  hide?(spec: Spec, other?: Spec): Spec
  create(scope: Scope, name: string, spec: Spec): Promise<void>
  update(scope: Scope, found: Found, spec: Spec): Promise<void>
  remove(scope: Scope, found: Found): Promise<void>
  /** Names of objects of the same kind that it relies on: they come first and go last. */
  reliesOn?(spec: Spec): string[]
}
