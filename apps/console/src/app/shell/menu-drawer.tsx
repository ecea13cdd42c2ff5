import { t } from '@ithings/contract/text.ts'
import { Drawer } from 'antd'
import { Link, useLocation } from 'react-router'
import type { Opened } from '#kit/use-dialog.ts'
import { useSession } from '../session/session-context.ts'
import { helpFor } from './help-links.ts'
import type { MenuNode } from './menu-tree.ts'
import { SideMenu } from './side-menu.tsx'
import { versionText } from './sider.tsx'
import type { UserMenu } from './use-menu.ts'

/** The menu of a phone. */
export function MenuDrawer({ menu, trail, open, onClose }: Opened & { menu: UserMenu; trail: MenuNode[] }) {
  const { config } = useSession()
  const { pathname } = useLocation()
  return (
    <Drawer
      open={open}
      onClose={onClose}
      placement="left"
      rootClassName="menu-drawer"
      size={288}
      title={config?.title || 'iThings'}
      footer={
        <div className="menu-drawer-foot row between">
          <Link to={helpFor(pathname)} onClick={onClose}>
            {t('帮助')}
          </Link>
          <span className="meta">{versionText(config?.version)}</span>
        </div>
      }
      styles={{ body: { padding: '8px 0' } }}
    >
      <SideMenu menu={menu} trail={trail} onPick={onClose} />
    </Drawer>
  )
}
