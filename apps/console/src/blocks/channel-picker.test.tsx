import type { Channel } from '@ithings/contract/features/notify.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { ChannelPicker, channelOptions } from './channel-picker.tsx'
import { allChannelsQuery } from './channels-query.ts'

const channel = (id: number, name: string, more: Partial<Channel> = {}): Channel => ({
  id,
  name,
  type: 'webhook',
  status: 1,
  desc: '',
  settings: { url: 'https://example.com', secret: '', headers: [], to: [], mentions: [] },
  language: '',
  hasSecret: false,
  createdTime: 0,
  rev: 1,
  lastSentTime: 0,
  lastState: 0,
  lastError: '',
  sent: 0,
  failed: 0,
  ...more,
})

const list = [channel(1, '值班群', { type: 'dingtalk' }), channel(2, '邮箱', { type: 'email', status: 2 })]

const shown = (value: number[], locked = false) => {
  const client = new QueryClient()
  client.setQueryData(allChannelsQuery.queryKey, { list, total: list.length, mailReady: true })
  return renderToStaticMarkup(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <ConfigProvider componentDisabled={locked}>
          <ChannelPicker value={value} />
        </ConfigProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  )
}

test('chosen channels are shown by type and name, and that a disabled one sends nothing', () => {
  const markup = shown([1, 2])
  expect(markup).toContain('值班群')
  expect(markup).toContain('aria-label="钉钉机器人"')
  expect(markup).toContain('已禁用，不会发送')
})

test('a chosen channel that is gone is still there to be taken out', () => {
  expect(shown([7])).toContain('渠道 7（已删除）')
  expect(channelOptions(list, [2, 7]).map((option) => option.value)).toEqual([1, 2, 7])
})

test('it is locked with the part of the page that it stands in', () => {
  expect(shown([1])).not.toContain('ant-select-disabled')
  expect(shown([1], true)).toContain('ant-select-disabled')
})
