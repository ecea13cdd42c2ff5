import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { expect, test } from 'vitest'
import { deviceFilterBody, groupChoiceText, readGroupChoice } from './device-filters.tsx'

test('the group in the URL says whether the groups below count', () => {
  expect(readGroupChoice('12')).toEqual({ groupID: '12', includeChildren: true })
  expect(readGroupChoice('12.own')).toEqual({ groupID: '12', includeChildren: false })
  for (const text of ['12', '12.own']) {
    const choice = readGroupChoice(text)
    expect(choice && groupChoiceText(choice)).toBe(text)
  }
})

test('a hand-edited group is no filter', () => {
  for (const text of [undefined, '', 'x', '12.', '12.all']) expect(readGroupChoice(text)).toBeUndefined()
})

test('the query form becomes a body that the platform takes', () => {
  const body = deviceFilterBody({ keyword: '泵', tags: '区域:朝阳', group: '12.own', status: 3 })
  expect(body).toEqual({
    keyword: '泵',
    status: 3,
    tags: [{ key: '区域', value: '朝阳' }],
    inGroupID: '12',
    includeChildren: false,
  })
  expect(listDevices.body.safeParse(body).success).toBe(true)
})
