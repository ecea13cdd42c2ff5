import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useSignOut } from '#api/use-sign-out.ts'
import { refreshAccount } from '../account-queries.ts'
import '../parts/login.css'
import { EnrolSecondFactor } from '../parts/enrol-second-factor.tsx'

/** Instead of the console, for somebody whose role demands a second factor that he has not yet. */
export function EnrolFirst({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const signOut = useSignOut()
  return (
    <main className="login login-side grow shrink relative">
      <div className="login-box wide">
        <h1 className="login-title bare bold">{t('启用两步验证')}</h1>
        <p className="login-welcome quiet">{t('你的角色要求使用两步验证，完成后才能继续。')}</p>
        <EnrolSecondFactor onDone={() => void refreshAccount(client).then(onDone)} />
        <p className="bare above-16 line-20 centered small quiet">
          <button type="button" className="plain-button link" onClick={() => void signOut()}>
            {t('退出登录')}
          </button>
        </p>
      </div>
    </main>
  )
}
