import { menuIcons } from '@ithings/contract/features/menus.ts'
import { expect, test } from 'vitest'
import { productIcon } from './product-icon.ts'

const icon = (productName: string, deviceType = 1) => productIcon({ productName, deviceType })

test('the name of a product chooses its drawing', () => {
  expect(icon('一体化预制泵站 PS-3000')).toBe('icon_feedwater')
  expect(icon('单相智能电表 DDZY201')).toBe('icon_electric')
  expect(icon('冷链追踪器 CT-01')).toBe('icon_heat')
  expect(icon('楼宇边缘网关 BG-200', 2)).toBe('icon_ap')
  // A sewage pump is sewage first.
  expect(icon('污水提升泵')).toBe('icon_sewage')
})

test('a name that says nothing falls back to the device type', () => {
  expect(icon('X1', 2)).toBe('icon_ap')
  expect(icon('X1', 1)).toBe('icon_device')
  expect(menuIcons).toContain(icon(''))
})
