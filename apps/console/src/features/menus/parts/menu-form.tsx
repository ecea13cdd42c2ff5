import { HideInMenu, type Menu, MenuType, rootMenuID, updateMenuBody } from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, App } from 'antd'
import { useState } from 'react'
import type * as z from 'zod'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { useSessionKey } from '#kit/form/use-session-key.ts'
import { nextOrder } from '../menu-tree.ts'
import { menusQuery, postMenu, putMenu, useMenusChanged } from '../queries.ts'
import { type KnownPath, MenuFields } from './menu-fields.tsx'

/** What the drawer is open for; the target of `create` is the parent. */
export type MenuTask = { kind: 'create'; parentID: number } | { kind: 'edit'; menu: Menu }

// One form for both: without an id it is a new entry.
const schema = updateMenuBody.partial({ id: true })
type Values = z.output<typeof schema>

interface MenuFormProps {
  task: MenuTask | undefined
  list: readonly Menu[]
  knownPaths: readonly KnownPath[]
  defaultIcon: string
  onClose: () => void
}

const initialOf = (task: MenuTask, list: readonly Menu[], icon: string): Partial<z.input<typeof schema>> => {
  if (task.kind === 'edit') {
    const { createTime: _, ...menu } = task.menu
    return menu as Partial<z.input<typeof schema>>
  }
  return {
    parentID: task.parentID,
    type: task.parentID === rootMenuID ? MenuType.directory : MenuType.page,
    order: nextOrder(list, task.parentID),
    icon,
    hideInMenu: HideInMenu.show,
    name: '',
    nameEn: '',
    path: '',
    component: '',
    redirect: '',
  }
}

/** Only pages have a file, and a button leads nowhere: what the form hides is not sent along. */
function tidy(values: Values): Values {
  if (values.type === MenuType.page) return values
  if (values.type === MenuType.directory) return { ...values, component: '' }
  return { ...values, component: '', path: '', redirect: '' }
}

export function MenuForm(props: MenuFormProps) {
  const key = useSessionKey(props.task !== undefined)
  return <Panel key={key} {...props} />
}

function Panel({ task, list, knownPaths, defaultIcon, onClose }: MenuFormProps) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const changed = useMenusChanged()
  // What it was opened for stays while the drawer slides out.
  const [shown] = useState(task)
  const menu = shown?.kind === 'edit' ? shown.menu : undefined
  const stale = useStaleEdit(menu?.rev ?? 0, async () => {
    const { list: now } = await client.fetchQuery({ ...menusQuery, staleTime: 0 })
    const latest = now.find((one) => one.id === menu?.id)
    if (!latest) throw new Error(t('这个菜单已经被删除'))
    return latest
  })

  const submit = async (given: Values, { rev }: { rev: number }) => {
    const { id, rev: _, ...values } = tidy(given)
    if (id === undefined) await postMenu(values)
    else await putMenu({ id, ...values, rev })
    void message.success(id === undefined ? t('创建成功') : t('更新成功'))
    await changed()
  }

  return (
    <FormDrawer
      title={titleOf(shown)}
      open={task !== undefined}
      onClose={onClose}
      schema={schema}
      initialValues={shown && initialOf(shown, list, defaultIcon)}
      onSubmit={submit}
      stale={stale}
    >
      {!menu && (
        <Alert
          className="below-16"
          type="info"
          showIcon
          title={t('新菜单只有管理员看得到；其他角色需要在「角色管理」里分配后才会出现。')}
        />
      )}
      <MenuFields list={list} knownPaths={knownPaths} self={menu?.id} defaultIcon={defaultIcon} />
    </FormDrawer>
  )
}

function titleOf(task: MenuTask | undefined): string {
  if (task?.kind === 'edit') return t('编辑菜单')
  return task?.parentID === rootMenuID ? t('新增根菜单') : t('新增子菜单')
}
