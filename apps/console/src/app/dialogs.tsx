/** The second half of antd's `App`: `App.useApp().modal` for every screen inside the frame (messages.tsx has the first). */
import AppContext from 'antd/es/app/context'
import useModal from 'antd/es/modal/useModal'
import { type ReactNode, useContext, useMemo } from 'react'

export function Dialogs({ children }: { children: ReactNode }) {
  const outer = useContext(AppContext)
  const [modal, dialogs] = useModal()
  const app = useMemo(() => ({ ...outer, modal }), [outer, modal])
  return (
    <AppContext value={app}>
      {dialogs}
      {children}
    </AppContext>
  )
}
