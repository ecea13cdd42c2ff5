import { message as messages, notification as notices } from 'antd'
import { createContext, type ReactNode, useContext } from 'react'
import { useMemo } from '#language/use-memo.ts'

// spec 9: message 3 seconds; notification 4.5 seconds, width 384, top offset 8.
export const messageConfig = { duration: 3 }
export const noticeConfig = { duration: 4.5, top: 8, classNames: { root: 'notice' } }

export interface Notices {
  message: ReturnType<typeof messages.useMessage>[0]
  notification: ReturnType<typeof notices.useNotification>[0]
}

export const NoticesContext = createContext<Notices | undefined>(undefined)

/** For what is also shown outside of the frame; screens take `App.useApp()`. */
export function useNotices(): Notices {
  const found = useContext(NoticesContext)
  if (!found) throw new Error('useNotices() needs a NoticesProvider above it')
  return found
}

/**
 * Messages and notices for the whole page. antd's `App` brings dialogs too and comes with the frame (dialogs.tsx): the
 * login page asks nothing, and would load 9 KB for it.
 */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const [message, messagePlace] = messages.useMessage(messageConfig)
  const [notification, noticePlace] = notices.useNotification(noticeConfig)
  const given = useMemo(() => ({ message, notification }), [message, notification])
  return (
    <NoticesContext value={given}>
      {messagePlace}
      {noticePlace}
      {children}
    </NoticesContext>
  )
}
