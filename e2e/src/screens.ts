/** What people do on every screen of the console: rows, choices, dialogs. */
import type { Locator, Page } from 'playwright-core'

/** A table row by any text in it. */
export const row = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('row', { name: typeof text === 'string' ? new RegExp(text) : text })

const openMenu = (page: Page) => page.locator('.ant-dropdown:not(.ant-dropdown-hidden)')

/** An entry of the row's ••• menu; the menu is left open. */
export async function moreAction(page: Page, inRow: string | RegExp, label: string): Promise<Locator> {
  await row(page, inRow).getByRole('button', { name: '更多操作' }).click()
  return openMenu(page).getByRole('menuitem', { name: label })
}

/** Clicks an action of a row, wherever it is. */
export async function act(page: Page, inRow: string | RegExp, label: string): Promise<void> {
  const inline = row(page, inRow).getByRole('button', { name: label, exact: true })
  await row(page, inRow).waitFor()
  if ((await inline.count()) > 0) await inline.click()
  else await (await moreAction(page, inRow, label)).click()
}

/** Chooses from a select; the list of an open one lies outside the form. */
export async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click()
  await page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).click()
}

/**
 * Replaces the text of a code editor as a person does. `fill` would let the browser itself cut marked text out of the
 * editor's own elements, which now and then keeps half of it when the editor draws at the same moment.
 */
export async function writeCode(editor: Locator, text: string): Promise<void> {
  // Some are a plain field until somebody enters them.
  await editor.focus()
  const entered = editor.and(editor.page().locator('.cm-content'))
  await entered.press('ControlOrMeta+A')
  await entered.press('Delete')
  await editor.page().keyboard.insertText(text)
}

export const dialog = (page: Page, title: string | RegExp): Locator => page.getByRole('dialog', { name: title })

/** Answers the question that a dangerous action asks first. */
export async function confirmWith(page: Page, question: string | RegExp, button: string): Promise<void> {
  const asked = page.getByRole('dialog').filter({ hasText: question })
  await asked.getByRole('button', { name: button, exact: true }).click()
  await asked.waitFor({ state: 'hidden' })
}

/**
 * The short message at the top. It goes by itself after three seconds, which a busy machine may take to look: so each is
 * written down when it is shown (page-script.ts) and counts as seen here, with all before it.
 */
export async function told(page: Page, text: string): Promise<void> {
  const find = (wanted: string) => {
    const at = window.walkMessages.findIndex((shown) => shown.includes(wanted))
    return at >= 0 && window.walkMessages.splice(0, at + 1).length > 0
  }
  await page.waitForFunction(find, text, { polling: 100 })
}

export async function submit(form: Locator, button = '保存'): Promise<void> {
  await form.getByRole('button', { name: button, exact: true }).click()
}

/** Sets the filter and asks. */
export async function search(page: Page, label: string, text: string): Promise<void> {
  const form = page.getByRole('form', { name: '查询条件' })
  await form.getByLabel(label, { exact: true }).fill(text)
  await form.getByRole('button', { name: '查询' }).click()
}
