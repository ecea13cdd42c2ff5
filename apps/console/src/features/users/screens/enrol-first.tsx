import { KeyOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { configQuery } from '#api/session-query.ts'
import { useSignOut } from '#api/use-sign-out.ts'
import { refreshAccount } from '../account-queries.ts'
import { passkeyReach } from '../passkey-reach.ts'
import '../parts/login.css'
import { AddPasskey } from '../parts/add-passkey.tsx'
import { EnrolSecondFactor } from '../parts/enrol-second-factor.tsx'

/** Instead of the console, for somebody whose role demands a second factor that he has not yet. */
export function EnrolFirst({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const signOut = useSignOut()
  const { data: config } = useQuery(configQuery)
  const [adding, setAdding] = useState(false)
  const done = () => void refreshAccount(client).then(onDone)
  return (
    <main className="login login-side grow shrink relative">
      <div className="login-box wide">
        <h1 className="login-title bare bold">{t('启用两步验证')}</h1>
        <p className="login-welcome quiet">{t('你的角色要求使用两步验证，完成后才能继续。')}</p>
        <EnrolSecondFactor onDone={done} />
        {passkeyReach(config?.passkeyOrigin ?? '') === 'here' && (
          <Button className="above-12" block icon={<KeyOutlined />} onClick={() => setAdding(true)}>
            {t('改用通行密钥')}
          </Button>
        )}
        <AddPasskey
          open={adding}
          first
          name={t('通行密钥 {number}', { number: 1 })}
          onClose={() => setAdding(false)}
          onDone={done}
        />
        <p className="bare above-16 line-20 centered small quiet">
          <button type="button" className="plain-button link" onClick={() => void signOut()}>
            {t('退出登录')}
          </button>
        </p>
      </div>
    </main>
  )
}
