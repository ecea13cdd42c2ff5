import { expect, test } from 'vitest'
import { distinctReferences, referenceWords } from './references.tsx'

const devices = (identifier: string) => ({ identifier, kind: '设备', title: '泵站', count: 486 })

test('what refers to several functions is counted once', () => {
  const list = [devices('a'), devices('b'), { identifier: 'a', kind: '场景', title: '超压停泵', count: 1 }]
  expect(referenceWords(list)).toBe('486 个设备、1 个场景')
  expect(distinctReferences(list)).toHaveLength(2)
})

test('things of one kind are added up', () => {
  const scene = (title: string) => ({ identifier: 'a', kind: '场景', title, count: 1 })
  expect(referenceWords([scene('一'), scene('二')])).toBe('2 个场景')
})
