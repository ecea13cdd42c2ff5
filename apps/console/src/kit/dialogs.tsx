import { App } from 'antd'
import type { ReactNode } from 'react'
import { useMemo } from '#language/use-memo.ts'
import { messageConfig, NoticesContext, noticeConfig } from './notices.tsx'

/** antd's `App` for every screen inside the frame: messages, notices and dialogs. */
export function Dialogs({ children }: { children: ReactNode }) {
  return (
    <App component={false} message={messageConfig} notification={noticeConfig}>
      <SameNotices>{children}</SameNotices>
    </App>
  )
}

/** Parts that take `useNotices()` say it in the same place as the screens: two messages at once do not cover each other. */
function SameNotices({ children }: { children: ReactNode }) {
  const { message, notification } = App.useApp()
  const given = useMemo(() => ({ message, notification }), [message, notification])
  return <NoticesContext value={given}>{children}</NoticesContext>
}
