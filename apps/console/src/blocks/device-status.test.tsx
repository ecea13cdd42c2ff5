import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DeviceStatusTag, DeviceTypeTag } from './device-status.tsx'

const shown = (firstLogin: string, isOnline: number) => {
  const markup = renderToStaticMarkup(<DeviceStatusTag device={{ firstLogin, isOnline }} />)
  return { tone: /tone-(\w+)/.exec(markup)?.[1], text: markup.replace(/<[^>]+>/g, '') }
}

test('spec 4: never activated is a warning, online a success, offline an error', () => {
  expect(shown('0', 2)).toEqual({ tone: 'warning', text: '未激活' })
  expect(shown('1700000000', 1)).toEqual({ tone: 'success', text: '在线' })
  expect(shown('1700000000', 2)).toEqual({ tone: 'error', text: '离线' })
})

test('spec 3: each device type has its word', () => {
  const words = [1, 2, 3].map((value) => renderToStaticMarkup(<DeviceTypeTag value={value} />).replace(/<[^>]+>/g, ''))
  expect(words).toEqual(['设备', '网关', '子设备'])
})
