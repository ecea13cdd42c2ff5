import { menusOfRole } from '#features/menus/door.ts'
import { roleText } from './role-words.ts'
import type { RolesDeps } from './roles-deps.ts'
import { findRole } from './store.ts'

/** The part of resource-read that depends on the role alone. */
export async function viewRole({ db, withheldFrom }: RolesDeps, input: { id: number }) {
  const { id, name, built_in } = await findRole(db, input.id)
  return { name: roleText(name, built_in), menu: await menusOfRole(db, id), withheld: await withheldFrom(id) }
}
