import { businessTypeLabels } from '@ithings/contract/endpoint.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BusinessTypeTag } from './business-type.tsx'

const markup = (value: number) => renderToStaticMarkup(<BusinessTypeTag value={value} />)
const tone = (value: number) => /tone-(\w+)/.exec(markup(value))?.[1]

test('spec 3: each operation type has its word and a colour of its own', () => {
  // 1 add, 2 delete, 3 modify, 4 query, 5 other
  expect([1, 2, 3, 4, 5].map(tone)).toEqual(['processing', 'error', 'warning', 'success', 'default'])
  for (const [value, word] of Object.entries(businessTypeLabels)) expect(markup(Number(value))).toContain(`>${word}<`)
})
