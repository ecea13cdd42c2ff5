import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Button, ConfigProvider } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import 'dayjs/locale/zh-cn'
import dayjs from 'dayjs'
import { useMemo, useState } from 'react'
import { createHashRouter, Link, Outlet, RouterProvider } from 'react-router'
import { Dialogs } from '#kit/dialogs.tsx'
import { PreferencesProvider, usePreferences } from '#kit/preferences.tsx'
import { readNonce } from '#kit/theme/nonce.ts'
import { makeTheme } from '#kit/theme/theme.ts'
import './gallery.css'
import { FormSamples } from './form-samples.tsx'
import { InputSamples } from './input-samples.tsx'
import { ListSample } from './list-samples.tsx'
import { PartSamples } from './part-samples.tsx'

dayjs.locale('zh-cn')

const lists = ['ok', 'counters', 'tree', 'slow', 'empty', 'error', 'error-once', 'forbidden', 'offline', 'stale']

function Frame() {
  const { dark, density, set } = usePreferences()
  return (
    <>
      <nav className="gallery-bar row wrap">
        <Link to="/forms">表单</Link>
        <Link to="/parts">部件</Link>
        <Link to="/inputs">输入</Link>
        {lists.map((mode) => (
          <Link key={mode} to={`/list/${mode}`}>
            {mode}
          </Link>
        ))}
        <Button size="small" onClick={() => set({ theme: dark ? 'light' : 'dark' })}>
          {dark ? '浅色' : '深色'}
        </Button>
        <Button size="small" onClick={() => set({ density: density === 'small' ? 'middle' : 'small' })}>
          密度
        </Button>
      </nav>
      <main className="gallery-body">
        <Outlet />
      </main>
    </>
  )
}

const makeRouter = () =>
  createHashRouter([
    {
      element: <Frame />,
      children: [
        { path: '/', element: <FormSamples /> },
        { path: '/forms', element: <FormSamples /> },
        { path: '/parts', element: <PartSamples /> },
        { path: '/inputs', element: <InputSamples /> },
        { path: '/list/:mode', element: <ListSample /> },
      ],
    },
  ])

function Themed() {
  const [router] = useState(makeRouter)
  const { dark, density } = usePreferences()
  const theme = useMemo(() => makeTheme({ dark, compact: density === 'small' }), [dark, density])
  const nonce = readNonce()
  return (
    <ConfigProvider theme={theme} locale={zhCN} {...(nonce && { csp: { nonce } })} button={{ autoInsertSpace: false }}>
      <Dialogs>
        <RouterProvider router={router} />
      </Dialogs>
    </ConfigProvider>
  )
}

/** Every part of the kit with sample data in all its states: for people and for the browser tests. */
export function Gallery() {
  const [client] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={client}>
      <PreferencesProvider>
        <Themed />
      </PreferencesProvider>
    </QueryClientProvider>
  )
}
