import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listMenus as endpoint } from '@ithings/contract/features/menus.ts'
import type { Db } from '#db/schema.ts'
import { withAncestors } from './ancestors.ts'
import { toMenu } from './menu-wire.ts'
import { namesOf } from './menu-words.ts'
import { readMenus } from './store.ts'

const contain = (texts: string[], part: string | undefined): boolean =>
  part === undefined || texts.some((text) => text.toLowerCase().includes(part.toLowerCase()))

/** A flat list without paging and without the root; matches keep their ancestors (screens.md 14). */
export async function listMenus(db: Db, input: BodyOutput<typeof endpoint>) {
  const all = await readMenus(db)
  const matches = all.filter((row) => contain(namesOf(row), input.name) && contain([row.path], input.path))
  return {
    list: withAncestors(
      matches.map((row) => row.id),
      all,
    ).map(toMenu),
  }
}
