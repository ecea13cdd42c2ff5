/** Routes of spec 2 under the base path, built from the table in routes.tsx. */

import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { Suspense } from 'react'
import { createBrowserRouter, matchRoutes, Navigate, type RouteObject, useLocation, useRouteError } from 'react-router'
import { session } from '#api/session-store.ts'
import { basename, loginPath, signedInPath, signOnPath } from '#api/sign-in-path.ts'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { withTexts } from '#language/language.ts'
import { ChunkLoadError, lazyScreen } from './lazy-screen.ts'
import { screens } from './routes.tsx'
import { SessionGate } from './session/session-gate.tsx'
import './shell/pages.css'

/** A screen that failed to load or to draw, in its place: the rest of the page stays usable. */
function ScreenError() {
  const error = useRouteError()
  const chunk = error instanceof ChunkLoadError
  const reason = error instanceof Error ? error.message : String(error)
  const cause = chunk && error.cause instanceof Error ? error.cause.message : undefined
  return (
    <main className="lone-page center row">
      <StateBlock
        variant="error"
        title={chunk ? t('页面加载失败') : t('页面出错了')}
        text={
          chunk
            ? t('{reason}。可能是网络中断，或系统刚刚升级，刷新后通常可以恢复。', { reason })
            : t('显示这个页面时发生错误：{reason}。刷新后仍然出现请联系管理员。', { reason })
        }
        extra={
          cause && <span className="state-request-id inline-row small softer gap-8 round-4 grey-fill">{cause}</span>
        }
        action={
          <Button type="primary" onClick={() => window.location.reload()}>
            {t('刷新重试')}
          </Button>
        }
      />
    </main>
  )
}

const Login = lazyScreen(
  async () => (await withTexts('users/sign-in', import('#features/users/screens/login.tsx'))).Login,
)
const loadSignOn = () => withTexts('users/sign-in', import('#features/users/screens/sign-on-return.tsx'))
const SignOnReturn = lazyScreen(async () => (await loadSignOn()).SignOnReturn)
const SignedIn = lazyScreen(async () => (await loadSignOn()).SignedIn)
const loadFrame = () => withTexts('frame', import('./shell/shell.tsx'))
const Frame = lazyScreen(async () => (await loadFrame()).Frame)
const Home = lazyScreen(async () => (await import('./shell/home-redirect.tsx')).HomeRedirect)
const NotFound = lazyScreen(async () => (await import('./shell/not-found.tsx')).NotFound)

const waiting = (element: React.ReactNode) => <Suspense fallback={<PageSpinner />}>{element}</Suspense>

/** spec 2: /user alone redirects to /user/login; the page to come back to goes along. */
function ToLogin() {
  return <Navigate to={{ pathname: loginPath, search: useLocation().search }} replace />
}

const screenRoutes = screens.map((row) => {
  const Screen = lazyScreen(row.load)
  return { path: row.path, handle: row, element: <Screen />, ErrorBoundary: ScreenError, ahead: Screen.ahead }
}) satisfies RouteObject[]

/** The frame, when it is fetched ahead. */
let arrival: Promise<unknown> = Promise.resolve()
const Gate = () => <SessionGate arrival={arrival} />

export const router = createBrowserRouter(
  [
    { path: '/user', element: <ToLogin /> },
    { path: loginPath, element: waiting(<Login />), ErrorBoundary: ScreenError },
    { path: signOnPath, element: waiting(<SignOnReturn />), ErrorBoundary: ScreenError },
    { path: signedInPath, element: waiting(<SignedIn />), ErrorBoundary: ScreenError },
    {
      element: <Gate />,
      ErrorBoundary: ScreenError,
      children: [
        { element: waiting(<Frame />), children: [{ index: true, element: waiting(<Home />) }, ...screenRoutes] },
        { path: '*', element: waiting(<NotFound />) },
      ],
    },
  ],
  { basename },
)

/** The scripts of frame and screen and the live connection come while the session loads, not one after the other behind it. */
export function fetchAhead(): void {
  const screen = matchRoutes(screenRoutes, window.location, basename)?.at(-1)?.route
  if (!screen || !session.complete()) return
  // Who meets an error comes to them again in the usual way.
  arrival = Promise.all([loadFrame().then(({ prepareFrame }) => prepareFrame()), Frame.ahead()]).catch(() => undefined)
  screen.ahead().catch(() => undefined)
}
