/** What a menu tree must keep to; checked on the whole tree while it is locked. */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { MenuType, rootMenuID } from '@ithings/contract/features/menus.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { withAncestors } from './ancestors.ts'
import type { MenuRow } from './menu-wire.ts'
import { menuText } from './menu-words.ts'

const refuse = (detail: Phrase, field?: string) =>
  new AppError(errors.parameter, { detail, ...(field ? { field } : {}) })

export function findMenu(all: MenuRow[], id: number): MenuRow {
  const menu = all.find((row) => row.id === id)
  if (!menu) throw refusal(errors.notFound, '菜单 {id} 不存在', { id })
  return menu
}

export const childrenOf = (all: MenuRow[], id: number): MenuRow[] => all.filter((row) => row.parent_id === id)

/** 0 is "not given" on the wire (http-api.md 1): the top level. */
export const toParentID = (given: number | undefined): number => given || rootMenuID

export function requireParent(all: MenuRow[], parentID: number): void {
  if (parentID === rootMenuID) return
  const parent = all.find((row) => row.id === parentID)
  if (!parent) throw refuse(phrase('父菜单 {parentID} 不存在', { parentID }), 'parentID')
  if (parent.type === MenuType.button)
    throw refuse(phrase('按钮「{name}」下不能再有菜单', { name: menuText(parent.name) }), 'parentID')
}

export function refuseCycle(all: MenuRow[], menu: MenuRow, parentID: number): void {
  if (parentID === menu.id)
    throw refuse(phrase('菜单「{name}」不能作为自己的父菜单', { name: menuText(menu.name) }), 'parentID')
  if (withAncestors([parentID], all).some((row) => row.id === menu.id)) {
    throw refuse(phrase('不能把菜单「{name}」移到它自己的下级', { name: menuText(menu.name) }), 'parentID')
  }
}

/** Two pages on one path: the console could show only one of them (screens.md 14 "duplicate check"). */
export function refuseDuplicatePath(all: MenuRow[], menu: { id?: number; type: number; path: string }): void {
  if (menu.type !== MenuType.page || menu.path === '') return
  const other = all.find((row) => row.type === MenuType.page && row.path === menu.path && row.id !== menu.id)
  if (other)
    throw new AppError(errors.duplicate, {
      msg: phrase('路由 {path} 已被菜单「{name}」使用', { path: menu.path, name: menuText(other.name) }),
      field: 'path',
    })
}
