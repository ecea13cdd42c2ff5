import { searchAll } from '@ithings/contract/features/search.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { endpointQuery } from '#api/endpoint-query.ts'

export const mostLetters = 64

/** What was found for the word before stays until the next answer, so that the list does not flicker. */
export const searchQuery = (keyword: string) =>
  queryOptions({
    ...endpointQuery(searchAll, { keyword, limit: 5 }, { quiet: true }),
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
  })
