import type { Group } from '@ithings/contract/features/groups.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { GroupPicker } from './group-picker.tsx'
import { allGroupsQuery } from './groups-query.ts'

const group = (groupID: string, parentID: string, groupName: string): Group => ({
  groupID,
  parentID,
  groupName,
  productID: '',
  productName: '',
  desc: '',
  tags: [],
  createdTime: '0',
  projectID: '0',
  deviceCount: 0,
  totalCount: 0,
  onlineCount: 0,
  rev: 0,
})

const picked = (value: string) => {
  const client = new QueryClient()
  client.setQueryData(allGroupsQuery.queryKey, [group('2', '1', '华北'), group('3', '2', '北京')])
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <GroupPicker value={value} />
    </QueryClientProvider>,
  )
}

test('spec 3: a node of the tree is known by its id as text and has its name as label and title', () => {
  const markup = picked('3')
  expect(markup).toContain('title="北京"')
  expect(markup).toContain('>北京<')
  expect(markup).not.toContain('华北')
})

test('a group that is not in the tree is shown by its number', () => {
  expect(picked('9')).toContain('>9<')
})
