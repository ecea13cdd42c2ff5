import { DownOutlined, KeyOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import { Avatar, Dropdown, type MenuProps } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSignOut } from '#api/use-sign-out.ts'
import { useSession } from '../session/session-context.ts'

const ChangePassword = lazy(async () => ({
  default: (await import('#features/users/parts/change-password-modal.tsx')).ChangePasswordModal,
}))

export function AvatarMenu({ phone }: { phone: boolean }) {
  const { info } = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const [password, setPassword] = useState<'never' | 'open' | 'closed'>('never')
  const name = info.nickName || info.userName

  const items: MenuProps['items'] = [
    { key: 'profile', icon: <UserOutlined />, label: '个人中心', onClick: () => void navigate('/account/index') },
    { key: 'password', icon: <KeyOutlined />, label: '修改密码', onClick: () => setPassword('open') },
    { type: 'divider' },
    { key: 'sign-out', icon: <LogoutOutlined />, label: '退出登录', onClick: () => void signOut() },
  ]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
        <button type="button" className="plain-button avatar-button">
          <span className="visually-hidden">账号菜单：{phone && name}</span>
          <Avatar aria-hidden="true" size={28} src={info.headImgUrl || undefined} className="avatar">
            {name.slice(0, 1).toUpperCase()}
          </Avatar>
          {!phone && <span className="avatar-name cut">{name}</span>}
          {!phone && <DownOutlined className="avatar-arrow" />}
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
