import { ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { usePreferences } from '#kit/preferences.tsx'
import { makeTheme } from '#kit/theme/theme.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'

/** Parts of the kit on this screen are dark as everything here, whatever the console's theme is. */
export function Dark({ children }: { children: ReactNode }) {
  const { density } = usePreferences()
  const phone = usePhone()
  const theme = useMemo(() => makeTheme({ dark: true, compact: density === 'small', phone }), [density, phone])
  return <ConfigProvider theme={theme}>{children}</ConfigProvider>
}
