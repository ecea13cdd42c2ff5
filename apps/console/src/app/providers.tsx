import { QueryClientProvider } from '@tanstack/react-query'
import { App, ConfigProvider } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import { type ReactNode, useMemo } from 'react'
import { makeQueryClient } from '#api/query-client.ts'
import { PreferencesProvider, usePreferences } from '#kit/preferences.tsx'
import { readNonce } from '#kit/theme/nonce.ts'
import { makeTheme } from '#kit/theme/theme.ts'
import { GlobalNotices } from './global-notices.tsx'

const queryClient = makeQueryClient()
const nonce = readNonce()
// spec 9: message 3 seconds; notification 4.5 seconds, width 384, top offset 8.
const messageConfig = { duration: 3 }
const notificationConfig = { duration: 4.5, top: 8, classNames: { root: 'notice' } }

function Themed({ children }: { children: ReactNode }) {
  const { dark, density } = usePreferences()
  const theme = useMemo(() => makeTheme({ dark, compact: density === 'small' }), [dark, density])
  return (
    <ConfigProvider locale={zhCN} theme={theme} csp={nonce ? { nonce } : undefined} button={{ autoInsertSpace: false }}>
      <App message={messageConfig} notification={notificationConfig} component={false}>
        <GlobalNotices />
        {children}
      </App>
    </ConfigProvider>
  )
}

export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <PreferencesProvider>
        <Themed>{children}</Themed>
      </PreferencesProvider>
    </QueryClientProvider>
  )
}
