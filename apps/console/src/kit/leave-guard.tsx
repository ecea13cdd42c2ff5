import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { type ReactNode, type RefObject, useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { useBlocker } from 'react-router'
import type { Opened } from '#kit/use-dialog.ts'

let drafts = 0

/** Whether anything on the screen is unsaved. */
export const hasDraft = (): boolean => drafts > 0

/** The browser asks before the window with something unsaved is closed. */
export function useHoldWindow(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return
    drafts += 1
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => {
      drafts -= 1
      window.removeEventListener('beforeunload', hold)
    }
  }, [unsaved])
}

/** Asks before something unsaved is thrown away: everywhere in the same words and order, the harmless answer has the focus. */
export function useAskDiscard(): (text: string, onDiscard: () => void, onKeep?: () => void) => void {
  const { modal } = App.useApp()
  const asking = useRef(false)
  return useCallback(
    (text, onDiscard, onKeep) => {
      if (asking.current) return
      asking.current = true
      modal.confirm({
        title: t('确认放弃修改？'),
        content: text,
        okText: t('放弃修改'),
        okButtonProps: { danger: true },
        cancelText: t('继续编辑'),
        focusable: { autoFocusButton: 'cancel' },
        onOk: onDiscard,
        onCancel: () => onKeep?.(),
        afterClose: () => {
          asking.current = false
        },
      })
    },
    [modal],
  )
}

interface LeaveGuardProps {
  dirty: boolean
  text: string
  /** What is unsaved belongs to one tab of the page (`?tab=`): another tab loses it, too. */
  ofTab?: boolean
  /** It belongs to one value of this parameter of the address, like the id of what is edited. */
  ofParam?: string
  /** It stands in a drawer or dialog over the page: Back closes that, too. */
  ofDialog?: boolean
  /** True while it is being saved or thrown away: what leads away then is no accident. */
  released?: RefObject<boolean>
}

/** Asks before unsaved input is left behind: by a link, by Back, by closing the window. */
export function LeaveGuard({ dirty, ...props }: LeaveGuardProps) {
  // The router asks the guard that came last, so one without anything to guard must not be there.
  return dirty ? <Guard {...props} /> : null
}

function Guard({ text, ofTab = false, ofParam, ofDialog = false, released }: Omit<LeaveGuardProps, 'dirty'>) {
  const ask = useAskDiscard()
  const owners = [ofTab && 'tab', ofParam].filter((name) => typeof name === 'string')
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      !released?.current &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (ofDialog && historyAction === 'POP') ||
        owners.some((name) => paramOf(currentLocation.search, name) !== paramOf(nextLocation.search, name))),
  )
  const question = useEffectEvent(() =>
    ask(
      text,
      () => blocker.proceed?.(),
      () => blocker.reset?.(),
    ),
  )
  const blocked = blocker.state === 'blocked'
  useEffect(() => {
    if (blocked) question()
  }, [blocked])
  useHoldWindow(true)
  return null
}

const paramOf = (search: string, name: string): string | null => new URLSearchParams(search).get(name)

export interface DraftProps extends Opened {
  /** In words what is lost when the page is left; undefined or false: nothing is. */
  unsaved?: string | false | undefined
  /** The words for closing, where they are others than those for leaving the page. */
  unsavedOnClose?: string | undefined
  /** Something runs that has to end first: closing does nothing. */
  busy?: boolean | undefined
  /** See `LeaveGuard`. */
  ofTab?: boolean
  released?: RefObject<boolean>
}

/** What a drawer or dialog with something unsaved needs: a `close` that asks first, and the guard to put inside it. */
export function useDraft(props: DraftProps): { close: () => void; guard: ReactNode } {
  const { open, onClose, unsaved, unsavedOnClose, busy = false, ofTab = false, released } = props
  const ask = useAskDiscard()
  const close = () => {
    if (busy) return
    if (!unsaved) return onClose()
    ask(unsavedOnClose ?? unsaved, () => {
      if (released) released.current = true
      onClose()
    })
  }
  const guard = unsaved && open && (
    <LeaveGuard ofDialog ofTab={ofTab} dirty text={unsaved} {...(released && { released })} />
  )
  return { close, guard }
}
