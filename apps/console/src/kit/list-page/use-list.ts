import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import { activeFilters, type FilterTexts, readFilters } from './filter-values.ts'
import type { ListPageProps, ListPaging, ListResult } from './list-contract.ts'
import { lastPage, parseSort, useListState } from './use-list-state.ts'

// http-api.md 1: without paging the platform answers up to 2,000 rows; a tree is read whole.
const treeSize = 2000
const none: [] = []

/** The data of one list: state from the URL, rows from the server. */
export function useList<T extends object, F>(
  props: Pick<ListPageProps<T, F>, 'filters' | 'tree' | 'urlPrefix' | 'defaultSort' | 'query'>,
) {
  const { filters: fields = none, tree = false, urlPrefix = '', defaultSort } = props
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
  const found = result.data?.total
  const pages = found === undefined ? undefined : lastPage(found, state.size)
  const beyond = !tree && !result.isPlaceholderData && pages !== undefined && state.page > pages
  useEffect(() => {
    if (beyond && pages !== undefined) set({ page: pages }, { replace: true })
  }, [beyond, pages, set])

  // What one may no longer see does not stay on the screen as "older data".
  const forbidden = result.isError && describeError(result.error).kind === 'forbidden'
  const data = forbidden ? undefined : result.data
  const refresh = () => void result.refetch()
  const search = (values: FilterTexts) => {
    // Asking again with the same conditions must still ask: the URL does not change then.
    if (JSON.stringify(values) === JSON.stringify(state.filters) && state.page === 1) refresh()
    else set({ filters: values, page: 1 })
  }
  const active = activeFilters(fields, state.filters)
  const rows: readonly T[] = data?.list ?? none
  return { state, set, filters, orders, result, fields, active, forbidden, rows, total: data?.total, refresh, search }
}

/** What `ListRows` needs of it; a list that reads its rows otherwise can give the same. */
export type List<T extends object> = Pick<
  ReturnType<typeof useList<T, unknown>>,
  'state' | 'set' | 'result' | 'fields' | 'active' | 'forbidden' | 'rows' | 'total' | 'refresh' | 'search'
>
