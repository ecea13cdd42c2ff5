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

interface LeaveGuardProps {
  dirty: boolean
  text: string
  /** What is unsaved belongs to one tab of the page (`?tab=`): another tab loses it, too. */
  ofTab?: boolean
  /** It belongs to one value of this parameter of the address, like the id of what is edited. */
  ofParam?: string
}

/** Asks before unsaved input is left behind: by a link, by Back, by closing the window. */
export function LeaveGuard({ dirty, text, ofTab = false, ofParam }: LeaveGuardProps) {
  const owners = [ofTab && 'tab', ofParam].filter((name) => typeof name === 'string')
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty &&
      (currentLocation.pathname !== nextLocation.pathname ||
        owners.some((name) => paramOf(currentLocation.search, name) !== paramOf(nextLocation.search, name))),
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

const paramOf = (search: string, name: string): string | null => new URLSearchParams(search).get(name)
