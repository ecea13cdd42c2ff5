/** The mixed layout of spec 3: full-width header, fixed sider, fluid content; on a phone the menu is a drawer. */

import { t } from '@ithings/contract/text.ts'
import dayjs from 'dayjs'
import { paths } from '#kit/paths.ts'
import { useLanguage, withTexts } from '#language/language.ts'
import { pageTitle } from './menu-names.ts'
import 'dayjs/locale/zh-cn'
import { Fragment, lazy, Suspense, useEffect, useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { ExportProvider } from '#blocks/export-provider.tsx'
import { useStepsAhead, useStepsBegun } from '#blocks/first-steps/use-first-steps.ts'
import { Dialogs } from '#kit/dialogs.tsx'
import { useShownPageName } from '#kit/page-name.ts'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { defaultPath } from '../routes.tsx'
import { refusalOf } from '../session/access.ts'
import { useSession } from '../session/session-context.ts'
import { Forbidden } from './forbidden.tsx'
import { Header } from './header.tsx'
import './pages.css'
import './shell.css'
import './side-menu.css'
import { ConfigProvider } from 'antd'
import { freshCodeWanted } from '#api/fresh-code.ts'
import { expectLive } from '#api/live.ts'
import type { MenuNode } from './menu-tree.ts'
import { Sider } from './sider.tsx'
import { hasScreen, trailOf, useMenu, useScreenRow } from './use-menu.ts'
import { useScrollPlace } from './use-scroll-place.ts'

const FreshCodeModal = lazy(async () => ({
  default: (await withTexts('users', import('#features/users/parts/fresh-code-modal.tsx'))).FreshCodeModal,
}))

/** The question that led to the call may still be open, and must not cover this one. */
const aboveQuestions = { token: { zIndexPopupBase: 2000 } }

/** Asks for the code when a call needs it; the dialog is loaded then. */
function FreshCode() {
  const [answer, setAnswer] = useState<(verified: boolean) => void>()
  const [used, setUsed] = useState(false)
  useEffect(
    () =>
      freshCodeWanted.on((next) => {
        setUsed(true)
        setAnswer(() => next)
      }),
    [],
  )
  if (!used) return null
  return (
    <ConfigProvider theme={aboveQuestions}>
      <Suspense>
        <FreshCodeModal
          open={answer !== undefined}
          onAnswer={(verified) => {
            answer?.(verified)
            setAnswer(undefined)
          }}
        />
      </Suspense>
    </ConfigProvider>
  )
}

/** 设备管理 / 产品: names from the menu; a detail adds its own title behind its list. */
function Breadcrumbs({ trail, title }: { trail: MenuNode[]; title: string | undefined }) {
  const last = trail.at(-1)
  const crumbs = trail.map((node) => ({ name: node.name, path: node.path }))
  if (title && title !== last?.name) crumbs.push({ name: title, path: '' })
  if (crumbs.length === 0) return null
  return (
    <nav className="breadcrumbs below-4 flex wrap small line-20 softer" aria-label={t('面包屑')}>
      {crumbs.map((crumb, i) => {
        const current = i === crumbs.length - 1
        return (
          <Fragment key={crumb.name + crumb.path}>
            {i > 0 && <span className="disabled-text">/</span>}
            {!current && hasScreen(crumb.path) ? (
              <Link to={crumb.path}>{crumb.name}</Link>
            ) : (
              <span aria-current={current ? 'page' : undefined}>{crumb.name}</span>
            )}
          </Fragment>
        )
      })}
    </nav>
  )
}

const nothing = () => null
/** Without it the console is whole: a file that cannot be loaded is no error here. */
const FirstStepsBar = lazy(async () => ({
  default: await import('#blocks/first-steps/first-steps-bar.tsx').then(
    (loaded) => loaded.FirstStepsBar,
    () => nothing,
  ),
}))
const NewSignIns = lazy(async () => ({
  default: (await withTexts('users', import('#features/users/parts/new-sign-ins.tsx'))).NewSignIns,
}))
/** Where the whole card stands, or nothing may. */
const withoutBar = new Set<string>([defaultPath, paths.home])

function useWindowTitle(screen: string | undefined) {
  const { config } = useSession()
  const product = config?.title || 'iThings'
  useEffect(() => {
    document.title = screen ? `${screen} - ${product}` : product
  }, [screen, product])
}

function Shell() {
  const phone = usePhone()
  // Here and not with the providers: the login page shows no times.
  dayjs.locale(useLanguage() === 'zh' ? 'zh-cn' : 'en')
  const stepsAhead = useStepsAhead()
  const stepsBegun = useStepsBegun()
  const { info, newSignIns } = useSession()
  const { pathname } = useLocation()
  const menu = useMenu()
  const row = useScreenRow()
  const trail = trailOf(menu.tree, row)
  const last = trail.at(-1)
  const name = useShownPageName()
  const title = name ?? (last && last.path === row?.path ? last.name : row && pageTitle(row.title))
  useWindowTitle(title)
  useScrollPlace(row?.path)
  const refusal = row && refusalOf(row, menu.permitted, info)
  const bare = row?.bare && !refusal
  if (stepsAhead === undefined) return <PageSpinner />

  return (
    <div className={phone ? 'shell shell-phone' : 'shell'}>
      <a className="skip-link absolute round-6" href="#content">
        {t('跳到主要内容')}
      </a>
      <FreshCode />
      <Header phone={phone} menu={menu} trail={trail} />
      <div className="flex grow">
        {!phone && <Sider menu={menu} trail={trail} />}
        <main
          className={bare ? 'shell-content grow shrink shell-content-bare' : 'shell-content grow shrink'}
          id="content"
          tabIndex={-1}
        >
          {stepsBegun && !withoutBar.has(pathname) && menu.permitted.has(defaultPath) && (
            <Suspense fallback={stepsAhead && <div className="first-bar-room below-12" />}>
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
              <ExportProvider>
                <Outlet />
              </ExportProvider>
            </Suspense>
          )}
        </main>
      </div>
    </div>
  )
}

/** What can begin before the session is known. */
export const prepareFrame = (): void => expectLive()

export const Frame = () => (
  <Dialogs>
    <Shell />
  </Dialogs>
)
