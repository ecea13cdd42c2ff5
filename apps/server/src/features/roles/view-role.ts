import { menusOfRole } from '#features/menus/door.ts'
import type { RolesDeps } from './roles-deps.ts'
import { findRole } from './store.ts'

/** The part of resource-read that depends on the role alone. */
export async function viewRole({ db, withheldFrom }: RolesDeps, input: { id: number }) {
  const { id, name } = await findRole(db, input.id)
  return { name, menu: await menusOfRole(db, id), withheld: await withheldFrom(id) }
}
