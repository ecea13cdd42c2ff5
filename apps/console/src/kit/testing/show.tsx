/** A part of the kit in a document without a browser: what stands in it is looked at and waited for, never slept for. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect } from 'vitest'
import { Dialogs } from '#kit/dialogs.tsx'
import { PreferencesProvider } from '#kit/preferences.tsx'

const roots: Root[] = []

/** Shows it at the address; what changed the address since is in `place()`. */
export function show(element: ReactNode, path = '/') {
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] })
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  roots.push(root)
  root.render(
    <QueryClientProvider client={new QueryClient()}>
      <PreferencesProvider>
        <ConfigProvider theme={{ token: { motion: false } }} button={{ autoInsertSpace: false }}>
          <Dialogs>
            <RouterProvider router={router} />
          </Dialogs>
        </ConfigProvider>
      </PreferencesProvider>
    </QueryClientProvider>,
  )
  return { router, place: () => `${router.state.location.pathname}${router.state.location.search}` }
}

/** Call it after each test. */
export function clear(): void {
  for (const root of roots.splice(0)) root.unmount()
  document.body.replaceChildren()
  localStorage.clear()
}

export const words = (): string => document.body.textContent ?? ''

const nameOf = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()

/** Waits for the control with this name, as a person would read it. */
export async function control(selector: string, name: string): Promise<HTMLElement> {
  const find = () => [...document.querySelectorAll<HTMLElement>(selector)].find((one) => nameOf(one) === name)
  await expect.poll(find, { message: `${selector} “${name}”` }).toBeDefined()
  return find() as HTMLElement
}

/** A button that is still busy or locked takes no click, so it is waited for, as a person would. */
export const press = async (name: string): Promise<void> =>
  (await control('button:not(:disabled, .ant-btn-loading)', name)).click()

/** The field behind the label. */
export async function field(label: string): Promise<HTMLInputElement> {
  const { htmlFor } = (await control('label', label)) as HTMLLabelElement
  return document.getElementById(htmlFor) as HTMLInputElement
}

export function type(field: HTMLElement, text: string): void {
  const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  // React listens to the native setter, which a plain assignment of its own wrapper would hide.
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Types into the field behind the label. */
export const fill = async (label: string, text: string): Promise<void> => type(await field(label), text)

/** Chooses the file in the only place for files there is. */
export async function choose(file: File): Promise<void> {
  const find = () => document.querySelector<HTMLInputElement>('input[type=file]')
  await expect.poll(find, { message: 'a place for files' }).not.toBeNull()
  const input = find() as HTMLInputElement
  Object.defineProperty(input, 'files', { value: [file], configurable: true })
  input.dispatchEvent(new Event('change', { bubbles: true }))
}
