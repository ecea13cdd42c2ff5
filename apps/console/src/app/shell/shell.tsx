/** The mixed layout of spec 3: full-width header, fixed sider, fluid content; on a phone the menu is a drawer. */
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { mayNeedSteps } from '#blocks/first-steps/steps-memory.ts'
import { useStepsAhead } from '#blocks/first-steps/use-first-steps.ts'
import { useShownPageName } from '#kit/page-name.ts'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { Dialogs } from '../dialogs.tsx'
import { defaultPath } from '../routes.tsx'
import { refusalOf } from '../session/access.ts'
import { useSession } from '../session/session-context.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Forbidden } from './forbidden.tsx'
import { FreshCode } from './fresh-code.tsx'
import { Header } from './header.tsx'
import './pages.css'
import './shell.css'
import './side-menu.css'
import { Sider } from './sider.tsx'
import { trailOf, useMenu, useScreenRow } from './use-menu.ts'

// Here and not with the providers: the login page shows no times.
dayjs.locale('zh-cn')

const nothing = () => null
/** Without it the console is whole: a file that cannot be loaded is no error here. */
const FirstStepsBar = lazy(async () => ({
  default: await import('#blocks/first-steps/first-steps-bar.tsx').then(
    (loaded) => loaded.FirstStepsBar,
    () => nothing,
  ),
}))
const NewSignIns = lazy(async () => ({
  default: (await import('#features/users/parts/new-sign-ins.tsx')).NewSignIns,
}))
/** Where the whole card stands, or nothing may. */
const withoutBar = new Set([defaultPath, '/home'])

function useWindowTitle(screen: string | undefined) {
  const { config } = useSession()
  const product = config?.title || 'iThings'
  useEffect(() => {
    document.title = screen ? `${screen} - ${product}` : product
  }, [screen, product])
}

function Shell() {
  const phone = usePhone()
  // Decided once: the line that says "done" stays where it is.
  const [barWanted] = useState(mayNeedSteps)
  const stepsAhead = useStepsAhead()
  const { info, newSignIns } = useSession()
  const { pathname } = useLocation()
  const menu = useMenu()
  const row = useScreenRow()
  const trail = trailOf(menu.tree, row)
  const last = trail.at(-1)
  const name = useShownPageName()
  const title = name ?? (last && last.path === row?.path ? last.name : row?.title)
  useWindowTitle(title)
  const refusal = row && refusalOf(row, menu.permitted, info)
  const bare = row?.bare && !refusal
  if (stepsAhead === undefined) return <PageSpinner />

  return (
    <div className={phone ? 'shell shell-phone' : 'shell'}>
      <a className="skip-link" href="#content">
        跳到主要内容
      </a>
      <FreshCode />
      <Header phone={phone} menu={menu} trail={trail} />
      <div className="flex grow">
        {!phone && <Sider menu={menu} trail={trail} />}
        <main className={bare ? 'shell-content shell-content-bare' : 'shell-content'} id="content" tabIndex={-1}>
          {barWanted && !withoutBar.has(pathname) && menu.permitted.has(defaultPath) && (
            <Suspense fallback={stepsAhead && <div className="first-bar-room" />}>
              <FirstStepsBar />
            </Suspense>
          )}
          {newSignIns.length > 0 && !bare && (
            <Suspense>
              <NewSignIns list={newSignIns} />
            </Suspense>
          )}
          {!phone && !bare && <Breadcrumbs trail={trail} title={title} />}
          {refusal ? (
            <Forbidden title={title ?? pathname} path={pathname} refusal={refusal} />
          ) : (
            // A new boundary per screen: without the key the router keeps the old screen while the next one loads.
            <Suspense key={row?.path} fallback={<PageSpinner />}>
              <Outlet />
            </Suspense>
          )}
        </main>
      </div>
    </div>
  )
}

export const Frame = () => (
  <Dialogs>
    <Shell />
  </Dialogs>
)
