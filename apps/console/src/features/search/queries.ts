import { searchAll } from '@ithings/contract/features/search.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

export const mostLetters = 64

/** What was found for the word before stays until the next answer, so that the list does not flicker. */
export const searchQuery = (keyword: string) =>
  queryOptions({
    queryKey: [searchAll.path, { keyword }],
    queryFn: ({ signal }) => call(searchAll, { keyword, limit: 5 }, { quiet: true, signal }),
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
  })
