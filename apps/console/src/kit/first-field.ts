const dialogs = '.ant-drawer-open .ant-drawer-body, .ant-modal-body'
const fields = 'input:enabled, textarea:enabled, .cm-content'
/** Something is chosen here already: whoever opens the form goes on to what is still to be typed. */
const answered = '[type=radio], .ant-select-content-has-value *'

/** For `afterOpenChange` of a drawer or dialog with a form: antd leaves the focus on the frame. */
export function focusFirstField(open = true): void {
  const dialog = [...document.querySelectorAll(dialogs)].findLast((one) => one.checkVisibility())
  if (!open || !dialog || document.activeElement?.matches(fields)) return
  const shown = [...dialog.querySelectorAll<HTMLInputElement>(fields)].filter((one) => one.checkVisibility())
  const typed = shown.find((one) => !one.matches(answered))
  const first = typed && !typed.value ? typed : shown[0]
  // Of a group that which is chosen has the focus.
  const chosen = first?.type === 'radio' && dialog.querySelector<HTMLElement>(`[name="${first.name}"]:checked`)
  ;(chosen || first)?.focus({ preventScroll: true })
}
