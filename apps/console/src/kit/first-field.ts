const dialogs = '.ant-drawer-open .ant-drawer-body, .ant-modal-body'
const fields = 'input:enabled, textarea:enabled, .cm-content'

/** For `afterOpenChange` of a drawer or dialog with a form: antd leaves the focus on the frame. */
export function focusFirstField(open = true): void {
  const dialog = [...document.querySelectorAll(dialogs)].findLast((one) => one.checkVisibility())
  if (!open || !dialog || document.activeElement?.matches(fields)) return
  const first = [...dialog.querySelectorAll<HTMLInputElement>(fields)].find((one) => one.checkVisibility())
  // Of a group that which is chosen has the focus.
  const chosen = first?.type === 'radio' && dialog.querySelector<HTMLElement>(`[name="${first.name}"]:checked`)
  ;(chosen || first)?.focus({ preventScroll: true })
}
