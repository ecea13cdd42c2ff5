import { t } from '@ithings/contract/text.ts'
import { Menu, type MenuProps } from 'antd'
import { type TransitionEvent, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { MenuIcon } from '#blocks/menu-icon.tsx'
import { AlarmCount } from '#features/alarms/parts/alarm-bell.tsx'
import { paths } from '#kit/paths.ts'
import type { MenuNode } from './menu-tree.ts'
import { hasScreen, type UserMenu } from './use-menu.ts'

type Item = NonNullable<MenuProps['items']>[number]

const keyOf = (node: MenuNode) => String(node.id)

function itemOf(node: MenuNode, top: boolean): Item {
  // spec 2: each entry has an icon; children align under the parent's label and carry none (look.md 11).
  const icon = top ? <MenuIcon name={node.icon} /> : undefined
  if (node.children.length > 0) {
    return { key: keyOf(node), icon, label: node.name, children: node.children.map((child) => itemOf(child, false)) }
  }
  if (!hasScreen(node.path)) {
    return {
      key: keyOf(node),
      icon,
      label: node.name,
      disabled: true,
      title: t('该菜单没有对应的页面：{path}', { path: node.path || t('未填写路径') }),
    }
  }
  const label =
    node.path === paths.alarmQueue ? (
      <Link className="menu-counted" to={node.path}>
        {node.name}
        <AlarmCount />
      </Link>
    ) : (
      <Link to={node.path}>{node.name}</Link>
    )
  return { key: keyOf(node), icon, label, title: node.name }
}

function pathOf(nodes: MenuNode[], key: string): string | undefined {
  for (const node of nodes) {
    if (keyOf(node) === key) return node.path
    const below = pathOf(node.children, key)
    if (below !== undefined) return below
  }
  return undefined
}

/**
 * A link inside a page or an address may lead to an entry that the menu has to be scrolled to.
 * @param open the groups that are: one of them may have been opened for the entry
 */
function useSelectedInView(selected: string | undefined, open: string[]) {
  /** The entry from which somebody went on to look around. */
  const followed = useRef<string>(undefined)
  const show = () => {
    if (followed.current !== selected)
      document.querySelector('.side-menu .ant-menu-item-selected')?.scrollIntoView({ block: 'nearest' })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry moves with the groups
  useEffect(() => {
    if (followed.current !== selected) followed.current = undefined
    show()
  }, [selected, open])
  return {
    // Where groups open slowly, the menu is high enough only now.
    onTransitionEnd: ({ propertyName }: TransitionEvent) => {
      if (propertyName === 'height') show()
    },
    /** From here on somebody looks around in the menu: it stays where it is until another screen is shown. */
    leaveAlone: () => {
      followed.current = selected
    },
  }
}

export interface SideMenuProps {
  menu: UserMenu
  trail: MenuNode[]
  collapsed?: boolean
  onPick?: () => void
}

/** The highlight comes from the address alone, so reloads and links inside pages never lose it. */
export function SideMenu({ menu, trail, collapsed = false, onPick }: SideMenuProps) {
  const groups = trail.slice(0, -1).map(keyOf).join()
  const [open, setOpen] = useState<string[]>(() => groups.split(',').filter(Boolean))
  useEffect(() => {
    setOpen((before) => [...new Set([...before, ...groups.split(',').filter(Boolean)])])
  }, [groups])
  const last = trail.at(-1)
  const selected = last && keyOf(last)
  const { onTransitionEnd, leaveAlone } = useSelectedInView(selected, open)
  const changeOpen = (next: string[]) => {
    leaveAlone()
    setOpen(next)
  }
  const navigate = useNavigate()
  const pick: MenuProps['onClick'] = ({ key, domEvent }) => {
    // The mouse follows the link itself; Enter on the item does not reach it.
    const path = domEvent.type === 'keydown' ? pathOf(menu.visible, key) : undefined
    if (path) void navigate(path)
    onPick?.()
  }
  return (
    <Menu
      className="side-menu"
      mode="inline"
      inlineIndent={16}
      inlineCollapsed={collapsed}
      items={menu.visible.map((node) => itemOf(node, true))}
      selectedKeys={selected ? [selected] : []}
      onTransitionEnd={onTransitionEnd}
      {...(collapsed ? {} : { openKeys: open, onOpenChange: changeOpen })}
      onClick={pick}
    />
  )
}
