import { App } from 'antd'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'

/** Another screen is opened while the page holds unsaved input: ask first. Closing the tab is asked by the form. */
export function useLeaveGuard(dirty: boolean): void {
  const { modal } = App.useApp()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    modal.confirm({
      title: '确认放弃修改？',
      content: '已填写的内容还没有保存，离开后将丢失。',
      okText: '放弃修改',
      okButtonProps: { danger: true },
      cancelText: '继续编辑',
      onOk: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
    })
  }, [blocker, modal])
}
