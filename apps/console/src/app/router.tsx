/** Routes of spec 2 under the base path, built from the table in routes.tsx. */
import { Suspense } from 'react'
import { createBrowserRouter, matchRoutes, Navigate, type RouteObject, useLocation } from 'react-router'
import { session } from '#api/session-store.ts'
import { basename, loginPath } from '#api/sign-in-path.ts'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { lazyScreen } from './lazy-screen.ts'
import { screens } from './routes.tsx'
import { ScreenError } from './screen-error.tsx'
import { SessionGate } from './session/session-gate.tsx'

const Login = lazyScreen(async () => (await import('#features/users/screens/login.tsx')).Login)
const loadFrame = async () => (await import('./shell/shell.tsx')).Frame
const Frame = lazyScreen(loadFrame)
const Home = lazyScreen(async () => (await import('./shell/home-redirect.tsx')).HomeRedirect)
const NotFound = lazyScreen(async () => (await import('./shell/not-found.tsx')).NotFound)

const waiting = (element: React.ReactNode) => <Suspense fallback={<PageSpinner />}>{element}</Suspense>

/** spec 2: /user alone redirects to /user/login; the page to come back to goes along. */
function ToLogin() {
  return <Navigate to={{ pathname: loginPath, search: useLocation().search }} replace />
}

const screenRoutes: RouteObject[] = screens.map((row) => {
  const Screen = lazyScreen(row.load)
  return { path: row.path, handle: row, element: <Screen />, ErrorBoundary: ScreenError }
})

export const router = createBrowserRouter(
  [
    { path: '/user', element: <ToLogin /> },
    { path: loginPath, element: waiting(<Login />), ErrorBoundary: ScreenError },
    {
      element: <SessionGate />,
      ErrorBoundary: ScreenError,
      children: [
        { element: waiting(<Frame />), children: [{ index: true, element: waiting(<Home />) }, ...screenRoutes] },
        { path: '*', element: waiting(<NotFound />) },
      ],
    },
  ],
  { basename },
)

/** The scripts of frame and screen come while the session loads, instead of one after the other behind it. */
export function fetchAhead(): void {
  const screen = matchRoutes([...screens], window.location, basename)?.at(-1)?.route
  // Who is not signed in, or meets an error, comes to them again in the usual way.
  if (screen && session.complete()) void Promise.all([loadFrame(), screen.load()]).catch(() => undefined)
}
