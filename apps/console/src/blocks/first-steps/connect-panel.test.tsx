import { readTsl } from '@ithings/contract/features/thing-model.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Dialogs } from '#kit/dialogs.tsx'
import { ConnectPanel } from './connect-panel.tsx'

beforeEach(() => void vi.stubGlobal('window', { location: { hostname: 'platform.example.com' } }))
afterEach(() => void vi.unstubAllGlobals())

const productID = 'P0123456789'
const properties = [{ identifier: 'pressure', name: '压力', mode: 'r', define: { type: 'float', min: '0', max: '9' } }]

/** The button that copies the first program, and what stands beside it. */
function shown(tsl?: string): string {
  const client = new QueryClient()
  if (tsl !== undefined) client.setQueryData([readTsl.path, { productID }], { tsl })
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Dialogs>
        <MemoryRouter>
          <ConnectPanel productID={productID} deviceName="pump1" />
        </MemoryRouter>
      </Dialogs>
    </QueryClientProvider>,
  )
  const at = markup.indexOf('connection-code')
  return markup.slice(at, markup.indexOf('</pre>', at))
}

test('a program is copied when the model is read, not while it would report nothing', () => {
  expect(shown()).toMatch(/<button[^>]* disabled=""/)
  const ready = shown(JSON.stringify({ properties, events: [], actions: [] }))
  expect(ready).not.toContain('disabled=""')
  expect(ready).toContain('pressure')
})
