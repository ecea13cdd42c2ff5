import { AppError, errors } from '@ithings/contract/errors.ts'
import { rootMenuID } from '@ithings/contract/features/menus.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'

const joint = ' / '

/** Menu entries by text: the path where only one entry has it, else the names from the top down (`系统管理 / 导出`). */
export async function loadMenus(db: Db) {
  const rows = await db.selectFrom('menu').select(['id', 'parent_id', 'name', 'path']).orderBy('id').execute()
  const byID = new Map(rows.map((row) => [row.id, row]))
  const byText = new Map<string, number[]>()
  const add = (text: string, id: number) => byText.set(text, [...(byText.get(text) ?? []), id])

  function chainOf(id: number): number[] {
    const chain: number[] = []
    for (let at = byID.get(id); at && at.id !== rootMenuID && !chain.includes(at.id); at = byID.get(at.parent_id))
      chain.unshift(at.id)
    return chain
  }
  const namesOf = (id: number) =>
    chainOf(id)
      .map((one) => byID.get(one)?.name ?? '')
      .join(joint)
  for (const { id, path } of rows) {
    if (path !== '') add(path, id)
    add(namesOf(id), id)
  }
  const textOf = (id: number): string => {
    const path = byID.get(id)?.path ?? ''
    return path !== '' && byText.get(path)?.length === 1 ? path : namesOf(id)
  }
  /** With every entry above: a child without its parent could never be shown (screens.md 13). */
  const withParents = (ids: number[]): string[] => [...new Set(ids.flatMap(chainOf))].map(textOf)

  function idOf(text: string): number {
    const [id, other] = byText.get(text) ?? []
    if (id === undefined)
      throw new AppError(errors.notFound, { detail: phrase('菜单「{name}」不存在', { name: text }), field: 'menus' })
    if (other === undefined) return id
    throw new AppError(errors.parameter, {
      detail: phrase('菜单「{name}」不止一个，请先改名', { name: text }),
      field: 'menus',
    })
  }
  /** What is unknown stays as it is, to be refused when it is given. */
  const complete = (texts: string[]): string[] =>
    texts.flatMap((text) => {
      const [id, other] = byText.get(text) ?? []
      return id === undefined || other !== undefined ? [text] : withParents([id])
    })
  return { withParents, idOf, complete }
}
