import { Button, Modal } from 'antd'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'

/** The browser asks before the window with something unsaved is closed. */
export function useHoldWindow(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [unsaved])
}

/** Asks before unsaved input is left behind: by a link, by Back, by another tab of the page, by closing the window. */
export function LeaveGuard({ dirty, text }: { dirty: boolean; text: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty &&
      (currentLocation.pathname !== nextLocation.pathname ||
        tabOf(currentLocation.search) !== tabOf(nextLocation.search)),
  )

  useHoldWindow(dirty)

  return (
    <Modal
      title="确认放弃修改？"
      open={blocker.state === 'blocked'}
      width={416}
      onCancel={() => blocker.reset?.()}
      footer={
        <>
          <Button danger onClick={() => blocker.proceed?.()}>
            放弃修改
          </Button>
          <Button type="primary" autoFocus onClick={() => blocker.reset?.()}>
            继续编辑
          </Button>
        </>
      }
    >
      {text}
    </Modal>
  )
}

/** screens.md 4: the tab of the product detail is in the query. */
const tabOf = (search: string): string | null => new URLSearchParams(search).get('tab')
