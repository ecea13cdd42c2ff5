import { ApartmentOutlined, PlusOutlined } from '@ant-design/icons'
import { defaultMenuIcon, type Menu, MenuType, rootMenuID } from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import type { FilterField, RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { WhenOpened } from '#kit/when-opened.tsx'
import { useMemo } from '#language/use-memo.ts'
import { buildTree, flatten, isSearching, type MenuNode, type MenuSearch, searchTree } from '../menu-tree.ts'
import { menuColumns } from '../parts/menu-columns.tsx'
import type { KnownPath } from '../parts/menu-fields.tsx'
import type { MenuTask } from '../parts/menu-form.tsx'
import '../parts/menus.css'
import { dropMenu, menusQuery, menuTreeQuery, useMenusChanged } from '../queries.ts'

// Behind their buttons: the list does not wait for them.
const MenuForm = lazy(async () => ({ default: (await import('../parts/menu-form.tsx')).MenuForm }))
const ArrangeDrawer = lazy(async () => ({ default: (await import('../parts/arrange-drawer.tsx')).ArrangeDrawer }))

/** Which branches are open. A new search opens the way to every match; closing is remembered until the next search. */
function useExpanded(tree: readonly MenuNode[], search: MenuSearch) {
  const key = JSON.stringify([search.name, search.path])
  const [state, setState] = useState<{ key: string; closed: ReadonlySet<string> }>({ key, closed: new Set() })
  const closed = state.key === key ? state.closed : new Set<string>()
  const shown = isSearching(search) ? searchTree(tree, search) : tree
  const branches = flatten(shown)
    .filter((node) => node.children)
    .map((node) => String(node.id))

  const toggle = (id: string, open: boolean) => {
    const next = new Set(closed)
    if (open) next.delete(id)
    else next.add(id)
    setState({ key, closed: next })
  }
  return {
    keys: branches.filter((id) => !closed.has(id)),
    allOpen: branches.every((id) => !closed.has(id)),
    toggle,
    openAll: () => setState({ key, closed: new Set() }),
    closeAll: () => setState({ key, closed: new Set(branches) }),
  }
}

const filters: FilterField[] = [
  { name: 'name', label: '菜单名称', control: 'text' },
  { name: 'path', label: '路由地址', control: 'text' },
]

function useRowActions(list: readonly Menu[], onTask: (task: MenuTask) => void) {
  const confirm = useConfirm()
  const changed = useMenusChanged()
  const remove = (menu: MenuNode) =>
    confirm({
      title: t('删除菜单「{name}」？', { name: menu.name }),
      content: t('已分配给角色的这项菜单会一并收回，删除后无法恢复。'),
      danger: true,
      okText: t('删除'),
      onOk: () => dropMenu(menu.id).then(changed),
      done: t('删除成功'),
    })
  return (menu: MenuNode): RowAction[] => {
    // Counted in the whole menu: a search may hide the children.
    const below = list.filter((one) => one.parentID === menu.id).length
    const stored = list.find((one) => one.id === menu.id)
    return [
      // A button has nothing below it.
      ...(menu.type === MenuType.button
        ? []
        : [{ key: 'add', label: t('新增子菜单'), onClick: () => onTask({ kind: 'create', parentID: menu.id }) }]),
      { key: 'edit', label: t('编辑'), onClick: () => stored && onTask({ kind: 'edit', menu: stored }) },
      {
        key: 'delete',
        label: t('删除'),
        danger: true,
        onClick: () => remove(menu),
        ...(below > 0 && { disabled: true, hint: t('还有 {count} 个下级菜单，请先移走或删除它们', { count: below }) }),
      },
    ]
  }
}

/** screens.md 14: the menu as a tree table without paging. */
export function MenuList({ knownPaths }: { knownPaths: readonly KnownPath[] }) {
  const phone = usePhone()
  const [params] = useSearchParams()
  const search: MenuSearch = { name: params.get('name') ?? undefined, path: params.get('path') ?? undefined }
  const { data } = useQuery(menusQuery)
  const list = useMemo(() => data?.list ?? [], [data])
  const tree = useMemo(() => buildTree(list), [list])
  const expanded = useExpanded(tree, search)
  const [task, setTask] = useState<MenuTask>()
  const [arranging, setArranging] = useState(false)

  const actionsOf = useRowActions(list, setTask)
  return (
    <>
      <ListPage<MenuNode, MenuSearch>
        title={t('菜单管理')}
        subtitle={t('左侧菜单的内容、顺序与层级')}
        tree
        extra={
          <>
            <Button icon={<ApartmentOutlined />} disabled={list.length === 0} onClick={() => setArranging(true)}>
              {t('调整结构')}
            </Button>
            <Button
              type="primary"
              icon={<PlusOutlined />}
              onClick={() => setTask({ kind: 'create', parentID: rootMenuID })}
            >
              {t('新增根菜单')}
            </Button>
          </>
        }
        filters={filters}
        columns={menuColumns(search)}
        rowKey="id"
        storageKey="menus"
        query={({ filters: wanted }) => menuTreeQuery(wanted)}
        expandable={{
          expandedRowKeys: expanded.keys,
          onExpand: (open, row) => expanded.toggle(String(row.id), open),
          indentSize: 20,
        }}
        toolbar={
          // Cards on a phone are always open.
          !phone && (
            <Button type="text" size="small" onClick={expanded.allOpen ? expanded.closeAll : expanded.openAll}>
              {expanded.allOpen ? t('全部收起') : t('全部展开')}
            </Button>
          )
        }
        rowActions={actionsOf}
        exportName={t('菜单')}
        empty={{ title: t('还没有菜单'), text: t('新增一个根菜单，再往里面添加页面。') }}
      />
      <WhenOpened open={task !== undefined}>
        <MenuForm
          task={task}
          list={list}
          knownPaths={knownPaths}
          defaultIcon={defaultMenuIcon}
          onClose={() => setTask(undefined)}
        />
      </WhenOpened>
      <WhenOpened open={arranging}>
        <ArrangeDrawer list={list} open={arranging} onClose={() => setArranging(false)} />
      </WhenOpened>
    </>
  )
}
