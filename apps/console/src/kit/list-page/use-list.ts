import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { activeFilters, readFilters } from './filter-values.ts'
import type { ListPageProps, ListPaging, ListResult } from './list-contract.ts'
import { lastPage, parseSort, useListState } from './use-list-state.ts'

// http-api.md 1: without paging the platform answers up to 2,000 rows; a tree is read whole.
const treeSize = 2000
const noFields: [] = []

/** The data of one list: state from the URL, rows from the server. */
export function useList<T extends object, F>(props: ListPageProps<T, F>) {
  const { filters: fields = noFields, tree = false, urlPrefix = '', defaultSort } = props
  const [state, set] = useListState(fields, urlPrefix, defaultSort)
  const filters = useMemo(() => readFilters(fields, state.filters) as F, [fields, state.filters])
  const orders = parseSort(state.sort)
  const page: ListPaging = {
    page: tree ? 1 : state.page,
    size: tree ? treeSize : state.size,
    ...(orders && { orders }),
  }
  // Everything the screen's query says (pace, staleness) holds; only the previous rows stay while the next ones come.
  const options = props.query({ page, filters }) as UseQueryOptions<ListResult<T>>
  const result = useQuery({ ...options, placeholderData: keepPreviousData })

  // spec 5: a page beyond the last one (deleted rows, an old link) is clamped.
  const total = result.data?.total
  const pages = total === undefined ? undefined : lastPage(total, state.size)
  const beyond = !tree && !result.isPlaceholderData && pages !== undefined && state.page > pages
  useEffect(() => {
    if (beyond && pages !== undefined) set({ page: pages }, { replace: true })
  }, [beyond, pages, set])

  return { state, set, filters, orders, result, fields, active: activeFilters(fields, state.filters) }
}
