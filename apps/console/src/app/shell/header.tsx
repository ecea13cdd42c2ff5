import { MenuOutlined, MoonOutlined, QuestionCircleOutlined, SettingOutlined, SunOutlined } from '@ant-design/icons'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { alarmQueuePath } from '#blocks/alarm-records/alarm-paths.ts'
import { AlarmBell } from '#features/alarms/parts/alarm-bell.tsx'
import { SearchButton } from '#features/search/parts/search-button.tsx'
import { usePreferences } from '#kit/preferences.tsx'
import { AvatarMenu } from './avatar-menu.tsx'
import { Brand } from './brand.tsx'
import { helpFor, helpScreens } from './help-links.ts'
import { type MenuNode, menuScreens } from './menu-tree.ts'
import { hasScreen, type UserMenu } from './use-menu.ts'

const MenuDrawer = lazy(async () => ({ default: (await import('./menu-drawer.tsx')).MenuDrawer }))
const SettingsDrawer = lazy(async () => ({ default: (await import('./settings-drawer.tsx')).SettingsDrawer }))

function ThemeButton() {
  const { dark, set } = usePreferences()
  const label = dark ? '切换到浅色主题' : '切换到深色主题'
  return (
    <button
      type="button"
      className="plain-button header-button"
      aria-label={label}
      title={label}
      onClick={() => set({ theme: dark ? 'light' : 'dark' })}
    >
      {dark ? <SunOutlined /> : <MoonOutlined />}
    </button>
  )
}

/** To what the guides say about the screen that is open. */
function HelpButton() {
  const { pathname } = useLocation()
  return (
    <Link className="header-button" to={helpFor(pathname)} aria-label="帮助" title="帮助">
      <QuestionCircleOutlined />
    </Link>
  )
}

function MenuButton(props: { menu: UserMenu; trail: MenuNode[] }) {
  const [drawer, setDrawer] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <button
        type="button"
        className="plain-button header-button"
        aria-label="打开菜单"
        onClick={() => setDrawer('open')}
      >
        <MenuOutlined />
      </button>
      {drawer !== 'never' && (
        <Suspense>
          <MenuDrawer {...props} open={drawer === 'open'} onClose={() => setDrawer('closed')} />
        </Suspense>
      )}
    </>
  )
}

export function Header({ phone, menu, trail }: { phone: boolean; menu: UserMenu; trail: MenuNode[] }) {
  const [settings, setSettings] = useState<'never' | 'open' | 'closed'>('never')
  const screens = useMemo(() => [...menuScreens(menu.visible, hasScreen), ...helpScreens], [menu])
  return (
    <header className="header row gap-8">
      {phone && <MenuButton menu={menu} trail={trail} />}
      <Brand phone={phone} />
      {!phone && <SearchButton phone={false} screens={screens} permitted={menu.permitted} />}
      <div className="row fixed to-end gap-4">
        {phone && <SearchButton phone screens={screens} permitted={menu.permitted} />}
        {menu.permitted.has(alarmQueuePath) && <AlarmBell />}
        {!phone && <HelpButton />}
        {/* A phone has no room for it; the settings beside it hold the theme, too. */}
        {!phone && <ThemeButton />}
        <button
          type="button"
          className="plain-button header-button"
          aria-label="界面设置"
          title="界面设置"
          onClick={() => setSettings('open')}
        >
          <SettingOutlined />
        </button>
        {!phone && <span className="header-line" />}
        <AvatarMenu phone={phone} />
      </div>
      {settings !== 'never' && (
        <Suspense>
          <SettingsDrawer open={settings === 'open'} onClose={() => setSettings('closed')} />
        </Suspense>
      )}
    </header>
  )
}
