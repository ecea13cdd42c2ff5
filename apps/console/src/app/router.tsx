/** Routes of spec 2 under the base path, built from the table in routes.tsx. */
import { Suspense } from 'react'
import { createBrowserRouter, Navigate, type RouteObject, useLocation } from 'react-router'
import { basename, loginPath } from '#api/sign-in-path.ts'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { lazyScreen } from './lazy-screen.ts'
import { screens } from './routes.tsx'
import { ScreenError } from './screen-error.tsx'
import { SessionGate } from './session/session-gate.tsx'

const Login = lazyScreen(async () => (await import('#features/users/screens/login.tsx')).Login)
const Frame = lazyScreen(async () => {
  const [{ Dialogs }, { Shell }] = await Promise.all([import('./dialogs.tsx'), import('./shell/shell.tsx')])
  return () => (
    <Dialogs>
      <Shell />
    </Dialogs>
  )
})
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
