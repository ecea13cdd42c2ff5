/** spec 2: on any route other than login the session is loaded first; without it the user is sent to login. */

import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, ConfigProvider } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Navigate, Outlet, useNavigate } from 'react-router'
import { sessionEnded } from '#api/notices.ts'
import { configQuery, sessionQuery } from '#api/session-query.ts'
import { foreignChange, session } from '#api/session-store.ts'
import { isLoginPlace, loginAddress } from '#api/sign-in-path.ts'
import { followChoice } from '#api/use-language-choice.ts'
import { usePreview } from '#api/use-preview.ts'
import { hasDraft } from '#kit/leave-guard.tsx'
import { rolePath } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { RightsContext } from '#kit/rights.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { useLanguage, withTexts } from '#language/language.ts'
import { type Session, SessionContext } from './session-context.ts'
import './preview-banner.css'
import { keepMapData, loadMapScript } from './map-script.ts'

/** spec 4: the state itself, a loading flag that starts true, and an error. */
interface InitialState {
  data: Session | undefined
  loading: boolean
  error: unknown
}

/** Both start-up calls in parallel; only a failing resource-read is an error (decisions.md 2 "Session load"). */
function useInitialState(): InitialState {
  const resources = useQuery(sessionQuery)
  const { data: config, isPending: configPending } = useQuery(configQuery)

  useEffect(() => {
    if (!config) return
    keepMapData(config)
    if (config.map.accessKey) loadMapScript(config.map.accessKey)
  }, [config])

  const chosen = resources.data?.language
  useEffect(() => {
    if (chosen !== undefined) void followChoice(chosen)
  }, [chosen])

  // A refresh that fails later keeps what is there: only the first load decides.
  if (!resources.data) {
    return { data: undefined, loading: resources.isPending, error: resources.error ?? undefined }
  }
  if (configPending) return { data: undefined, loading: true, error: undefined }
  return {
    data: { ...resources.data, config },
    loading: false,
    error: undefined,
  }
}

/** Stays in sight on every page, so that nobody takes the role's view for his own. */
function PreviewBanner({ role, name }: { role: number; name: string }) {
  const { end } = usePreview()
  return (
    <aside className="preview-banner row gap-12 round-8 container-fill" aria-label={t('角色预览')}>
      <span>
        <RichText text={t('正在以角色「{name}」预览，<0/>只能查看', { name })} parts={[<wbr key="break" />]} />
      </span>
      <Button size="small" onClick={() => void end(rolePath(role))}>
        {t('结束预览')}
      </Button>
    </aside>
  )
}

const EnrolFirst = lazy(async () => ({
  default: (await withTexts(['users', 'frame'], import('#features/users/screens/enrol-first.tsx'))).EnrolFirst,
}))

const SignInAgain = lazy(async () => ({
  default: (await withTexts(['users/sign-in', 'frame'], import('#features/users/parts/sign-in-again.tsx'))).SignInAgain,
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

/** Whether it has come, or failed: where it is shown it is asked for again then. */
function useArrived(arrival: Promise<unknown>): boolean {
  const [arrived, setArrived] = useState(false)
  useEffect(() => {
    void arrival.finally(() => setArrived(true))
  }, [arrival])
  return arrived
}

function LoadedSession({ arrival }: SessionGateProps) {
  useLanguage()
  const state = useInitialState()
  const arrived = useArrived(arrival)
  // Until the person has seen his recovery codes, whatever a refresh says meanwhile.
  const [enrolling, setEnrolling] = useState(false)
  if (state.error) return <Navigate to={loginAddress(window.location)} replace />
  if (state.loading || !state.data || !arrived) return <PageSpinner />
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

interface SessionGateProps {
  /** What is drawn inside comes meanwhile: one spinner for both. It never fails. */
  arrival: Promise<unknown>
}

export function SessionGate({ arrival }: SessionGateProps) {
  const question = useSessionEnd()
  if (!question && !session.complete()) return <Navigate to={loginAddress(window.location)} replace />
  return (
    <>
      <LoadedSession arrival={arrival} />
      {question}
    </>
  )
}
