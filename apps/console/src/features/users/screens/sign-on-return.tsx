import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'
import { session } from '#api/session-store.ts'
import { loginPath } from '#api/sign-in-path.ts'
import { useNotices } from '#kit/notices.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { comeBack, type SignInState, signInAddress } from '../sign-on.ts'

/** Where a provider sends people back to: they are signed in, or told on the sign-in page why not. */
export function SignOnReturn() {
  const { key = '' } = useParams()
  const { search } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { message } = useNotices()
  const began = useRef(false)
  useEffect(() => {
    if (began.current) return
    began.current = true
    const address = signInAddress()
    const finish = async () => {
      try {
        const { token, info, redirect } = await comeBack(key, search)
        session.signIn(token.accessToken, info.userID)
        client.clear()
        void message.success(t('登录成功'))
        await navigate(redirect, { replace: true })
      } catch (error) {
        const state: SignInState = { failure: error instanceof Error ? error.message : String(error) }
        await navigate(address, { replace: true, state })
      }
    }
    void finish()
  }, [key, search, client, message, navigate])
  return <PageSpinner />
}

/** For a page that waits elsewhere in the browser. None that has been at another site may close itself. */
export function SignedIn() {
  if (!session.complete()) return <Navigate to={loginPath} replace />
  return (
    <main className="lone-page center row">
      <StateBlock compact variant="empty" title={t('登录成功')} text={t('请关闭这个页面，回到原来的页面继续。')} />
    </main>
  )
}
