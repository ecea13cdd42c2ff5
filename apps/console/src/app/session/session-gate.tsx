/** spec 2: on any route other than login the session is loaded first; without it the user is sent to login. */
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Navigate, Outlet, useNavigate } from 'react-router'
import { sessionEnded } from '#api/notices.ts'
import { foreignChange, session } from '#api/session-store.ts'
import { loginAddress } from '#api/sign-in-path.ts'
import { RightsContext } from '#kit/rights.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { PreviewBanner } from './preview-banner.tsx'
import { SessionContext } from './session-context.ts'
import { useInitialState } from './use-initial-state.ts'

const EnrolFirst = lazy(async () => ({
  default: (await import('#features/users/screens/enrol-first.tsx')).EnrolFirst,
}))

/** The session ends under our feet: by a 401, or by another tab. */
function useSessionEnd() {
  const navigate = useNavigate()
  const client = useQueryClient()
  useEffect(() => {
    const leave = async () => {
      await navigate(loginAddress(window.location), { replace: true })
      // Not before: a screen that is still there would ask for its data again.
      client.clear()
    }
    const follow = (event: StorageEvent) => {
      const change = foreignChange(event)
      if (change === 'signed-out') void leave()
      // Nothing of the former user may stay on the screen.
      if (change === 'other-user') window.location.reload()
    }
    const stop = sessionEnded.on(() => void leave())
    window.addEventListener('storage', follow)
    return () => {
      stop()
      window.removeEventListener('storage', follow)
    }
  }, [navigate, client])
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
  useSessionEnd()
  if (!session.complete()) return <Navigate to={loginAddress(window.location)} replace />
  return <LoadedSession />
}
