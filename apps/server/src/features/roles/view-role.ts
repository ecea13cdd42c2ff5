import { menusOfRole } from '#features/menus/door.ts'
import type { RolesKit } from './roles-kit.ts'
import { findRole } from './store.ts'

/** The part of resource-read that depends on the role alone. */
export async function viewRole({ db, withheldFrom }: RolesKit, input: { id: number }) {
  const { id, name } = await findRole(db, input.id)
  return { name, menu: await menusOfRole(db, id), withheld: await withheldFrom(id) }
}
