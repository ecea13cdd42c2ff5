import { type Language, t } from '@ithings/contract/text.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale'
import enUS from 'antd/es/locale/en_US'
import zhCN from 'antd/es/locale/zh_CN'
import { type ReactNode, useEffect, useRef } from 'react'
import { makeQueryClient } from '#api/query-client.ts'
import { NoticesProvider } from '#kit/notices.tsx'
import { PreferencesProvider, usePreferences } from '#kit/preferences.tsx'
import { readNonce } from '#kit/theme/nonce.ts'
import { makeTheme } from '#kit/theme/theme.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useLanguage } from '#language/language.ts'
import { useMemo } from '#language/use-memo.ts'
import { GlobalNotices } from './global-notices.tsx'

const queryClient = makeQueryClient()
const nonce = readNonce()

/** What the server says is in the language that it was asked in: another one asks again. */
function useAnswersIn(language: Language): void {
  const asked = useRef(language)
  useEffect(() => {
    if (asked.current === language) return
    asked.current = language
    void queryClient.invalidateQueries()
  }, [language])
}

/** With what a screen reader says of the box of a row (build/spoken-names.ts). */
const withRowNames = (locale: Locale): Locale => {
  const selectRow = (row: number) => t('选择第 {row} 行', { row })
  const table = { ...locale.Table, selectRow }
  return { ...locale, Table: table }
}
const locales: Record<Language, Locale> = { zh: withRowNames(zhCN), en: withRowNames(enUS) }

function Themed({ children }: { children: ReactNode }) {
  const { dark, density } = usePreferences()
  const phone = usePhone()
  const language = useLanguage()
  useAnswersIn(language)
  const theme = useMemo(() => makeTheme({ dark, compact: density === 'small', phone }), [dark, density, phone])
  return (
    <ConfigProvider
      locale={locales[language]}
      theme={theme}
      csp={nonce ? { nonce } : undefined}
      button={{ autoInsertSpace: false }}
    >
      <NoticesProvider>
        <GlobalNotices />
        {children}
      </NoticesProvider>
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
