import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { type PageSize, pageSizes, usePreferences } from '#kit/preferences.tsx'
import { writeUrlState } from '#kit/url-state.ts'
import { useMemo } from '#language/use-memo.ts'
import { type FilterTexts, initialTexts } from './filter-values.ts'
import type { FilterField, ListOrder } from './list-contract.ts'

export interface ListState {
  page: number
  size: PageSize
  /** `field.1` ascending, `field.2` descending. */
  sort: string | undefined
  filters: FilterTexts
}

export type ListPatch = { page?: number; size?: number; sort?: string | undefined; filters?: FilterTexts }

export function parseSort(sort: string | undefined): ListOrder[] | undefined {
  const parts = /^([A-Za-z_][\w.]*)\.([12])$/.exec(sort ?? '')
  return parts?.[1] ? [{ field: parts[1], sort: parts[2] === '1' ? 1 : 2 }] : undefined
}

/** spec 5: the page number is clamped to at least 1 and at most the total page count; page size at least 1. */
export const lastPage = (total: number, size: number): number => Math.max(1, Math.ceil(total / Math.max(1, size)))

const readPage = (text: string | null) => Math.max(1, Math.floor(Number(text)) || 1)

/** Page, size, sort and filters of one list, all in the URL. */
export function useListState(fields: readonly FilterField[], prefix: string, defaultSort: string | undefined) {
  const [params, setParams] = useSearchParams()
  const { pageSize } = usePreferences()
  const state = useMemo<ListState>(() => {
    const size = pageSizes.find((one) => String(one) === params.get(`${prefix}size`)) ?? pageSize
    const filters: FilterTexts = {}
    for (const field of fields) {
      const text = params.get(prefix + field.name) ?? field.initial
      if (text !== undefined) filters[field.name] = text
    }
    const sort = params.get(`${prefix}sort`) ?? defaultSort
    return { page: readPage(params.get(`${prefix}page`)), size, sort, filters }
  }, [params, prefix, fields, pageSize, defaultSort])

  const set = useCallback(
    (patch: ListPatch, options?: { replace?: boolean }) => {
      const defaults: Record<string, unknown> = { ...initialTexts(fields), page: 1, size: pageSize, sort: defaultSort }
      const { filters, ...rest } = patch
      const next: Record<string, unknown> = { ...rest }
      // A missing filter of a given set means "cleared": each field of the form is written.
      if (filters) for (const field of fields) next[field.name] = filters[field.name]
      setParams((before) => writeUrlState(before, next, defaults, prefix), { replace: options?.replace ?? false })
    },
    [setParams, prefix, fields, pageSize, defaultSort],
  )
  return [state, set] as const
}
