import {
  DownOutlined,
  KeyOutlined,
  LogoutOutlined,
  MenuOutlined,
  MoonOutlined,
  QuestionCircleOutlined,
  SettingOutlined,
  SunOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Avatar, Dropdown, type MenuProps } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { homePath } from '#api/sign-in-path.ts'
import { useLanguageChoice } from '#api/use-language-choice.ts'
import { useSignOut } from '#api/use-sign-out.ts'
import { AlarmBell } from '#features/alarms/parts/alarm-bell.tsx'
import { SearchButton } from '#features/search/parts/search-button.tsx'
import { builtInLogo } from '#kit/built-in-logo.ts'
import { LanguageButton } from '#kit/language-button.tsx'
import { paths } from '#kit/paths.ts'
import { usePreferences } from '#kit/preferences.tsx'
import { withTexts } from '#language/language.ts'
import { useMemo } from '#language/use-memo.ts'
import { useSession } from '../session/session-context.ts'
import { helpFor, helpScreens } from './help-links.ts'
import { type MenuNode, menuScreens } from './menu-tree.ts'
import { hasScreen, type UserMenu } from './use-menu.ts'

const ChangePassword = lazy(async () => ({
  default: (await withTexts('users', import('#features/users/parts/change-password-modal.tsx'))).ChangePasswordModal,
}))

function AvatarMenu({ phone }: { phone: boolean }) {
  const { info } = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const [password, setPassword] = useState<'never' | 'open' | 'closed'>('never')
  const name = info.nickName || info.userName

  const items: MenuProps['items'] = [
    { key: 'profile', icon: <UserOutlined />, label: t('个人中心'), onClick: () => void navigate(paths.account) },
    { key: 'password', icon: <KeyOutlined />, label: t('修改密码'), onClick: () => setPassword('open') },
    { type: 'divider' },
    { key: 'sign-out', icon: <LogoutOutlined />, label: t('退出登录'), onClick: () => void signOut() },
  ]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
        <button type="button" className="plain-button avatar-button pad-x-8 round-6 inline-row gap-8">
          <span className="visually-hidden">
            {t('账号菜单：')}
            {phone && name}
          </span>
          <Avatar aria-hidden="true" size={28} src={info.headImgUrl || undefined} className="bold">
            {name.slice(0, 1).toUpperCase()}
          </Avatar>
          {!phone && (
            <span className="cut" style={{ maxWidth: 160 }}>
              {name}
            </span>
          )}
          {!phone && <DownOutlined className="quiet" style={{ fontSize: 11 }} />}
        </button>
      </Dropdown>
      {password !== 'never' && (
        <Suspense>
          <ChangePassword open={password === 'open'} onClose={() => setPassword('closed')} />
        </Suspense>
      )}
    </>
  )
}

function Brand({ phone }: { phone: boolean }) {
  const { config } = useSession()
  return (
    <Link className="round-6 main-text row shrink gap-10" to={homePath} title={t('回到首页')}>
      <img
        className="fixed round-6"
        style={{ width: 28, height: 28, objectFit: 'contain' }}
        src={config?.logo || builtInLogo}
        alt=""
      />
      <span className="size-20 line-28 cut bold" style={{ maxWidth: 320 }}>
        {config?.title || 'iThings'}
      </span>
      {!phone && <span className="brand-note fixed small softer">{t('管理控制台')}</span>}
    </Link>
  )
}

const MenuDrawer = lazy(async () => ({ default: (await import('./menu-drawer.tsx')).MenuDrawer }))
const SettingsDrawer = lazy(async () => ({ default: (await import('./settings-drawer.tsx')).SettingsDrawer }))

function ThemeButton() {
  const { dark, set } = usePreferences()
  const label = dark ? t('切换到浅色主题') : t('切换到深色主题')
  return (
    <button
      type="button"
      className="plain-button header-button inline-row softer center size-16 round-6"
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
    <Link
      className="header-button inline-row softer center size-16 round-6"
      to={helpFor(pathname)}
      aria-label={t('帮助')}
      title={t('帮助')}
    >
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
        className="plain-button header-button inline-row softer center size-16 round-6"
        aria-label={t('打开菜单')}
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
  const { language, choose } = useLanguageChoice()
  const screens = useMemo(() => [...menuScreens(menu.visible, hasScreen), ...helpScreens()], [menu])
  return (
    <header className="header line-bottom container-fill row gap-8">
      {phone && <MenuButton menu={menu} trail={trail} />}
      <Brand phone={phone} />
      {!phone && <SearchButton phone={false} screens={screens} permitted={menu.permitted} />}
      <div className="row fixed to-end gap-4">
        {phone && <SearchButton phone screens={screens} permitted={menu.permitted} />}
        {menu.permitted.has(paths.alarmQueue) && <AlarmBell decides={menu.permitted.has(paths.plans)} />}
        {!phone && <HelpButton />}
        {/* A phone has no room for it; the settings beside it hold the theme, too. */}
        {!phone && <ThemeButton />}
        {!phone && <LanguageButton className="header-button header-language" language={language} onChoose={choose} />}
        <button
          type="button"
          className="plain-button header-button inline-row softer center size-16 round-6"
          aria-label={t('界面设置')}
          title={t('界面设置')}
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
