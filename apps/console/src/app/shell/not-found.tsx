import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { useLocation, useNavigate } from 'react-router'
import { homePath } from '#api/sign-in-path.ts'
import { BackButton } from '#kit/states/back-button.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import './pages.css'

/** spec 2: 404 page, no layout. */
export function NotFound() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <main className="lone-page center row">
      <h1 className="bare bold quiet" style={{ fontSize: 56, lineHeight: '64px', letterSpacing: 2 }}>
        404
      </h1>
      <StateBlock
        variant="no-match"
        title={t('路径不存在')}
        text={t('地址可能输入有误，或者页面已被移除。')}
        extra={
          <span className="state-request-id inline-row small softer gap-8 round-4 grey-fill mono-payload">
            {pathname}
          </span>
        }
        action={
          <div className="flex gap-8">
            <BackButton />
            <Button type="primary" onClick={() => void navigate(homePath, { replace: true })}>
              {t('回到首页')}
            </Button>
          </div>
        }
      />
    </main>
  )
}
