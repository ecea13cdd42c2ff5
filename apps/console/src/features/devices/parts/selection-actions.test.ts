import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { expect, test } from 'vitest'
import { bulkNeeds } from './selection-actions.tsx'

test('what is done with many devices asks for endpoints that there are', () => {
  const paths = allEndpoints.map(({ path }) => path)
  for (const { path } of bulkNeeds) expect(paths).toContain(path)
})
