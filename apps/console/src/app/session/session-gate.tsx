/** spec 2: on any route other than login the session is loaded first; without it the user is sent to login. */
import { useQueryClient } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Navigate, Outlet, useNavigate } from 'react-router'
import { sessionEnded } from '#api/notices.ts'
import { sessionQuery } from '#api/session-query.ts'
import { foreignChange, session } from '#api/session-store.ts'
import { isLoginPlace, loginAddress } from '#api/sign-in-path.ts'
import { hasDraft } from '#kit/leave-guard.tsx'
import { RightsContext } from '#kit/rights.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { PreviewBanner } from './preview-banner.tsx'
import { SessionContext } from './session-context.ts'
import { useInitialState } from './use-initial-state.ts'

const EnrolFirst = lazy(async () => ({
  default: (await import('#features/users/screens/enrol-first.tsx')).EnrolFirst,
}))

const SignInAgain = lazy(async () => ({
  default: (await import('#features/users/parts/sign-in-again.tsx')).SignInAgain,
}))

/** The question whether to throw the draft away may still be open. */
const aboveQuestions = { token: { zIndexPopupBase: 2000 } }

/** The session ends under our feet: by a 401, or by another tab. Answers the question that stands over an unsaved draft. */
function useSessionEnd(): ReactNode {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [former, setFormer] = useState<string>()
  const leave = useEffectEvent(async () => {
    await navigate(loginAddress(window.location), { replace: true })
    // A screen that is still there would ask for its data again.
    if (isLoginPlace(window.location)) client.clear()
  })
  const end = useEffectEvent(() => {
    const userID = client.getQueryData(sessionQuery.queryKey)?.info.userID
    if (userID && hasDraft()) setFormer(userID)
    else void leave()
  })
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      const change = foreignChange(event)
      if (change === 'signed-out') end()
      // Nothing of the former user may stay on the screen.
      if (change === 'other-user') window.location.reload()
    }
    const stop = sessionEnded.on(end)
    window.addEventListener('storage', follow)
    return () => {
      stop()
      window.removeEventListener('storage', follow)
    }
  }, [])
  const done = (userID: string) => {
    // Nothing of the former user may stay on the screen.
    if (userID !== former) return window.location.reload()
    setFormer(undefined)
    void client.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
  }
  if (former === undefined) return null
  return (
    <ConfigProvider theme={aboveQuestions}>
      <Suspense>
        <SignInAgain onDone={done} onLeave={() => void leave()} />
      </Suspense>
    </ConfigProvider>
  )
}

function LoadedSession() {
  const state = useInitialState()
  // Until the person has seen his recovery codes, whatever a refresh says meanwhile.
  const [enrolling, setEnrolling] = useState(false)
  if (state.error) return <Navigate to={loginAddress(window.location)} replace />
  if (state.loading || !state.data) return <PageSpinner />
  if (state.data.mustEnrol && !enrolling) setEnrolling(true)
  if (state.data.mustEnrol || enrolling) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <EnrolFirst onDone={() => setEnrolling(false)} />
      </Suspense>
    )
  }
  return (
    <SessionContext value={state.data}>
      <RightsContext value={state.data.withheld}>
        <Outlet />
        {state.data.previewing && <PreviewBanner {...state.data.previewing} />}
      </RightsContext>
    </SessionContext>
  )
}

export function SessionGate() {
  const question = useSessionEnd()
  if (!question && !session.complete()) return <Navigate to={loginAddress(window.location)} replace />
  return (
    <>
      <LoadedSession />
      {question}
    </>
  )
}
