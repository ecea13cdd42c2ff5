/**
 * The first half of antd's `App`: messages and notices. The other half, dialogs, comes with the frame (dialogs.tsx): the
 * login page asks nothing, and would load 9 KB for it.
 */
import AppContext from 'antd/es/app/context'
import useMessage from 'antd/es/message/useMessage'
import useNotification from 'antd/es/notification/useNotification'
import { type ReactNode, useContext, useMemo } from 'react'

// spec 9: message 3 seconds; notification 4.5 seconds, width 384, top offset 8.
const messageConfig = { duration: 3 }
const notificationConfig = { duration: 4.5, top: 8, classNames: { root: 'notice' } }

export function Messages({ children }: { children: ReactNode }) {
  const { modal } = useContext(AppContext)
  const [message, messages] = useMessage(messageConfig)
  const [notification, notices] = useNotification(notificationConfig)
  const app = useMemo(() => ({ message, notification, modal }), [message, notification, modal])
  return (
    <AppContext value={app}>
      {messages}
      {notices}
      {children}
    </AppContext>
  )
}
