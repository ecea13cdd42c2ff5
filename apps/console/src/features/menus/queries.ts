import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { createMenu, deleteMenu, listMenus, updateMenu } from '@ithings/contract/features/menus.ts'
import { readResources } from '@ithings/contract/features/users.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useReadAgain } from '#api/use-change.ts'
import { buildTree, flatten, type MenuSearch, searchTree } from './menu-tree.ts'

/** Every entry: search, duplicate checks and the parent choice need the whole menu, not a part of it. */
export const menusQuery = endpointQuery(listMenus, {})

/** The rows of the tree table. It reads through menusQuery, so both always show the same answer. */
export const menuTreeQuery = (search: MenuSearch) =>
  queryOptions({
    queryKey: [listMenus.path, 'tree', search],
    queryFn: async ({ client }: { client: QueryClient }) => {
      const { list } = await client.fetchQuery({ ...menusQuery, staleTime: 0 })
      const tree = searchTree(buildTree(list), search)
      return { list: tree, total: flatten(tree).length }
    },
  })

/** The sider is built from resource-read: it follows at once. */
export const useMenusChanged = () => useReadAgain([listMenus, readResources])

// Forms and dialogs show refusals themselves, so these calls are quiet.
export const postMenu = (body: BodyInput<typeof createMenu>) => call(createMenu, body, { quiet: true })
export const putMenu = (body: BodyInput<typeof updateMenu>) => call(updateMenu, body, { quiet: true })
export const dropMenu = (id: number) => call(deleteMenu, { id }, { quiet: true })
