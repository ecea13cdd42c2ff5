import { App } from 'antd'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'

/** Asks before unsaved changes are left behind: by a link, by Back, by closing the tab. Tabs of the page may change. */
export function useLeaveGuard(dirty: boolean, what: string): void {
  const { modal } = App.useApp()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  )

  useEffect(() => {
    if (!dirty) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [dirty])

  const { state, proceed, reset } = blocker
  useEffect(() => {
    if (state !== 'blocked') return
    const dialog = modal.confirm({
      title: '确认放弃修改？',
      content: what,
      okText: '放弃修改',
      okButtonProps: { danger: true },
      cancelText: '继续编辑',
      autoFocusButton: 'cancel',
      onOk: () => proceed?.(),
      onCancel: () => reset?.(),
    })
    return () => dialog.destroy()
  }, [state, proceed, reset, modal, what])
}
