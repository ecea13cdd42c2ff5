import { ApartmentOutlined, PlusOutlined } from '@ant-design/icons'
import { defaultMenuIcon, MenuType, rootMenuID } from '@ithings/contract/features/menus.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import type { FilterField, RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { buildTree, type MenuNode, type MenuSearch } from '../menu-tree.ts'
import { ArrangeDrawer } from '../parts/arrange-drawer.tsx'
import { menuColumns } from '../parts/menu-columns.tsx'
import type { KnownPath } from '../parts/menu-fields.tsx'
import { MenuForm, type MenuTask } from '../parts/menu-form.tsx'
import '../parts/menus.css'
import { useExpanded } from '../parts/use-expanded.ts'
import { dropMenu, menusQuery, menuTreeQuery, useMenusChanged } from '../queries.ts'

const filters: FilterField[] = [
  { name: 'name', label: '菜单名称', control: 'text' },
  { name: 'path', label: '路由地址', control: 'text' },
]

/** screens.md 14: the menu as a tree table without paging. */
export function MenuList({ knownPaths }: { knownPaths: readonly KnownPath[] }) {
  const { message } = App.useApp()
  const phone = usePhone()
  const confirm = useConfirm()
  const changed = useMenusChanged()
  const [params] = useSearchParams()
  const search: MenuSearch = { name: params.get('name') ?? undefined, path: params.get('path') ?? undefined }
  const { data } = useQuery(menusQuery)
  const list = useMemo(() => data?.list ?? [], [data])
  const tree = useMemo(() => buildTree(list), [list])
  const expanded = useExpanded(tree, search)
  const [task, setTask] = useState<MenuTask>()
  const [arranging, setArranging] = useState(false)

  const remove = (menu: MenuNode) =>
    confirm({
      title: `删除菜单「${menu.name}」？`,
      content: '已分配给角色的这项菜单会一并收回，删除后无法恢复。',
      danger: true,
      okText: '删除',
      onOk: async () => {
        await dropMenu(menu.id)
        void message.success('删除成功')
        await changed()
      },
    })

  const actionsOf = (menu: MenuNode): RowAction[] => {
    // Counted in the whole menu: a search may hide the children.
    const below = list.filter((one) => one.parentID === menu.id).length
    const stored = list.find((one) => one.id === menu.id)
    return [
      // A button has nothing below it.
      ...(menu.type === MenuType.button
        ? []
        : [{ key: 'add', label: '新增子菜单', onClick: () => setTask({ kind: 'create', parentID: menu.id }) }]),
      { key: 'edit', label: '编辑', onClick: () => stored && setTask({ kind: 'edit', menu: stored }) },
      {
        key: 'delete',
        label: '删除',
        danger: true,
        onClick: () => remove(menu),
        ...(below > 0 && { disabled: true, hint: `还有 ${below} 个下级菜单，请先移走或删除它们` }),
      },
    ]
  }

  const createRoot = () => setTask({ kind: 'create', parentID: rootMenuID })

  return (
    <>
      <ListPage<MenuNode, MenuSearch>
        title="菜单管理"
        subtitle="左侧菜单的内容、顺序与层级"
        tree
        extra={
          <>
            <Button icon={<ApartmentOutlined />} disabled={list.length === 0} onClick={() => setArranging(true)}>
              调整结构
            </Button>
            <Button type="primary" icon={<PlusOutlined />} onClick={createRoot}>
              新增根菜单
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
              {expanded.allOpen ? '全部收起' : '全部展开'}
            </Button>
          )
        }
        rowActions={actionsOf}
        exportName="菜单"
        empty={{ title: '还没有菜单', text: '新增一个根菜单，再往里面添加页面。' }}
      />
      <MenuForm
        task={task}
        list={list}
        knownPaths={knownPaths}
        defaultIcon={defaultMenuIcon}
        onClose={() => setTask(undefined)}
      />
      <ArrangeDrawer list={list} open={arranging} onClose={() => setArranging(false)} />
    </>
  )
}
