import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { useState } from 'react'
import { guardedStore } from '#api/text-store.ts'
import { useSession } from '../session/session-context.ts'
import type { MenuNode } from './menu-tree.ts'
import { SideMenu } from './side-menu.tsx'
import type { UserMenu } from './use-menu.ts'

const store = guardedStore(() => localStorage)
const collapsedKey = 'iThings-sider-collapsed'

export const versionText = (version: string | undefined): string => (version ? `v${version.replace(/^v/, '')}` : '')

/** 224 px, collapsed 64, with a footer of 44 (look.md 1, 11). */
export function Sider({ menu, trail }: { menu: UserMenu; trail: MenuNode[] }) {
  const { config } = useSession()
  const [collapsed, setCollapsed] = useState(() => store.get(collapsedKey) === '1')
  const toggle = () => {
    store.set(collapsedKey, collapsed ? '' : '1')
    setCollapsed(!collapsed)
  }
  const label = collapsed ? t('展开菜单') : t('收起菜单')
  return (
    <aside
      className={collapsed ? 'sider fixed container-fill sider-collapsed' : 'sider fixed container-fill'}
      aria-label={t('侧栏')}
    >
      <div className="sider-fixed column">
        <nav className="grow" style={{ overflow: 'hidden auto', paddingTop: 8 }} aria-label={t('主菜单')}>
          <SideMenu menu={menu} trail={trail} collapsed={collapsed} />
        </nav>
        <div className="sider-footer row between fixed small softer line-above">
          <button
            type="button"
            className="plain-button sider-toggle high-32 inline-row gap-10"
            onClick={toggle}
            aria-expanded={!collapsed}
            title={label}
          >
            {collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
            {collapsed ? <span className="visually-hidden">{label}</span> : <span>{label}</span>}
          </button>
          {!collapsed && <span>{versionText(config?.version)}</span>}
        </div>
      </div>
    </aside>
  )
}
