import { HideInMenu, type Menu, MenuType } from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'
import { Tooltip, Tree, type TreeDataNode } from 'antd'
import { useState } from 'react'
import { isAdminPath } from '#kit/paths.ts'
import { useMemo } from '#language/use-memo.ts'
import { menuTypeText } from '../labels.ts'
import {
  checkStates,
  flatMenus,
  type MenuNode,
  menuTree,
  searchMenus,
  toggleMenu,
  toggleShown,
} from '../menu-selection.ts'
import { Marked, RightsPanel } from './rights-panel.tsx'

function MenuTitle({ menu, keyword, adminOnly }: { menu: Menu; keyword: string; adminOnly: boolean }) {
  return (
    <span className="rights-row row gap-8 shrink">
      <span className="fixed main-text">
        <Marked text={menu.name} keyword={keyword} />
      </span>
      {menu.type !== MenuType.page && <span className="small-tag softer">{menuTypeText(menu.type)}</span>}
      {menu.hideInMenu === HideInMenu.hide && (
        <span className="small-tag softer">{t('隐藏', { context: 'state' })}</span>
      )}
      {adminOnly && (
        <Tooltip title={t('系统管理只对管理员角色（admin）开放，勾选后其他角色也不会看到')}>
          <span className="small-tag tone-warning">{t('仅管理员')}</span>
        </Tooltip>
      )}
      {menu.path && (
        <span className="rights-path cut shrink to-end small quiet mono">
          <Marked text={menu.path} keyword={keyword} />
        </span>
      )}
    </span>
  )
}

/** The topmost entry of the admin group says it once for all below. */
const toTree = (nodes: readonly MenuNode[], keyword: string, said: boolean): TreeDataNode[] =>
  nodes.map(({ menu, children }) => {
    const adminOnly = isAdminPath(menu.path)
    return {
      key: menu.id,
      title: <MenuTitle menu={menu} keyword={keyword} adminOnly={adminOnly && !said} />,
      children: toTree(children, keyword, said || adminOnly),
    }
  })

interface MenuPanelProps {
  menus: readonly Menu[]
  held: ReadonlySet<number>
  onChange: (held: ReadonlySet<number>) => void
  /** The role holds everything and cannot be changed. */
  readOnly: boolean
}

/** The checkable menu tree. Its state is ours (checkStrictly): antd's own would forget half-checked parents. */
export function MenuPanel({ menus, held, onChange, readOnly }: MenuPanelProps) {
  const [keyword, setKeyword] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const all = useMemo(() => menuTree(menus), [menus])
  const shown = useMemo(() => searchMenus(all, keyword), [all, keyword])
  const { checked, half } = useMemo(() => checkStates(shown, held), [shown, held])
  const ids = useMemo(() => flatMenus(shown).map((menu) => menu.id), [shown])
  const searching = keyword.trim() !== ''

  return (
    <RightsPanel
      title={t('菜单')}
      held={menus.filter((menu) => held.has(menu.id)).length}
      total={menus.length}
      keyword={keyword}
      onKeyword={setKeyword}
      placeholder={t('搜索菜单名称或路径')}
      narrowed={searching}
      readOnly={readOnly}
      onAll={(on) => onChange(toggleShown(all, shown, held, on))}
      nothing={shown.length === 0}
      onClear={() => setKeyword('')}
    >
      <Tree
        blockNode
        checkable
        checkStrictly
        selectable={false}
        virtual={false}
        disabled={readOnly}
        treeData={toTree(shown, keyword, readOnly)}
        checkedKeys={{ checked, halfChecked: half }}
        onCheck={(_keys, { node, checked: on }) => onChange(toggleMenu(all, shown, held, Number(node.key), on))}
        expandedKeys={searching ? ids : ids.filter((id) => !closed.has(id))}
        onExpand={(open) => setClosed(new Set(ids.filter((id) => !open.includes(id))))}
      />
    </RightsPanel>
  )
}
